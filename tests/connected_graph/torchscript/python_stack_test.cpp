#include "connected_graph/torchscript/python_stack.h"

#include <catch2/catch.hpp>

using namespace model_validator::torchscript;

namespace {

const std::string recorded = "/lib/torch/nn/functional.py(2987): layer_norm\n"
                             "/home/user/norm.py(89): forward\n"
                             "/lib/torch/nn/modules/module.py(1768): _slow_forward\n"
                             "/lib/torch/nn/modules/module.py(1789): _call_impl\n"
                             "/home/user/net (old).py(239): forward\n"
                             "/lib/torch/nn/modules/module.py(1768): _slow_forward\n"
                             "/lib/torch/jit/_trace.py(1216): trace_module\n"
                             "/home/user/export.py(3): <module>\n";

} // namespace

TEST_CASE("a stack is cut where one module calls another") {
  const auto stack = parse_stack(recorded);
  REQUIRE(stack);
  REQUIRE(stack->size() == 2);
  REQUIRE((*stack)[0].size() == 2);
  CHECK((*stack)[0][1].file == "/home/user/norm.py");
  CHECK((*stack)[0][1].line == 89);
  CHECK((*stack)[0][1].function == "forward");
  REQUIRE((*stack)[1].size() == 1);
  CHECK((*stack)[1][0].file == "/home/user/net (old).py");
}

TEST_CASE("Python source is not a stack") {
  CHECK_FALSE(parse_stack("def forward(self, x):\n    return f(x): y\n"));
  CHECK_FALSE(parse_stack(""));
  CHECK_FALSE(parse_stack("a.py(12x): f\n"));
  CHECK_FALSE(parse_stack("(12): f\n"));
}
