#include "verify/reduce/runtimes.h"

#include <catch2/catch.hpp>

using namespace model_validator::verify;

TEST_CASE("where nodes run is told by operator") {
  const auto nodes = placed_nodes("[\"CUDA\", \"Add\", \"c\"]\n[\"CPU\", \"Clip\", \"a\"]\n"
                                  "[\"CPU\", \"Clip\", \"b\"]\n[\"CPU\", \"Abs\", \"d\"]\n");
  CHECK(in_words(nodes, "CUDA") ==
        "1 of 4 nodes run on CUDA, the rest on CPU: 1 × `Abs`, as `d`; 2 × `Clip`, as `a`, `b`");
  CHECK(in_words({{"CPU", "Add", ""}}, "CUDA") ==
        "0 of 1 nodes run on CUDA, the rest on CPU: 1 × `Add`");
  CHECK(in_words({{"CUDA", "Add", "c"}}, "CUDA") == "1 of 1 nodes run on CUDA");
}

TEST_CASE("what is no place of a node is passed over") {
  CHECK(placed_nodes("").empty());
  CHECK(placed_nodes("[1, 2, 3]\n[\"CPU\", \"Add\"]\n{\n\"CPU\"\n").empty());
}
