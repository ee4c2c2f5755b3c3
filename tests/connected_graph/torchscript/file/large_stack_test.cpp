#include "connected_graph/torchscript/file/large_stack.h"

#include <catch2/catch.hpp>

#include <stdexcept>

using model_validator::torchscript::with_large_stack;

namespace {

int depth_reached(int depth) {
  volatile char frame[1024] = {}; // keeps the call from becoming a loop
  frame[0] = 1;
  return depth == 0 ? 0 : depth_reached(depth - 1) + frame[0];
}

} // namespace

TEST_CASE("deep recursion has room") {
  int reached = 0;
  with_large_stack([&] { reached = depth_reached(100'000); });
  CHECK(reached == 100'000);
}

TEST_CASE("exceptions of the work arrive") {
  CHECK_THROWS_AS(with_large_stack([] { throw std::logic_error("x"); }), std::logic_error);
}
