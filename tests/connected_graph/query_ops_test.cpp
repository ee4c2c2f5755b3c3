#include "connected_graph/query_ops.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("sizes, numbers and assertions are queries") {
  for (const char* type : {"size", "sym_size", "numel", "item", "_assert_scalar", "_assert_async"})
    CHECK(is_query_type(type));
}

TEST_CASE("an op that computes or moves tensor data is not a query") {
  for (const char* type : {"add", "view", "cat", "softmax", "to", "index"})
    CHECK_FALSE(is_query_type(type));
}
