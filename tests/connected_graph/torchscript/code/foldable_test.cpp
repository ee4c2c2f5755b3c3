#include "connected_graph/torchscript/code/foldable.h"
#include "connected_graph/torchscript/ir.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::node_of;
using test::parsed_ir;

namespace {

/// Whether the first node of a kind is computed when a module without attributes is frozen.
bool foldable(const std::string& ir, const std::string& kind) {
  const auto graph = parsed_ir(ir);
  torchscript::AttributeValues attributes(*graph, torch::jit::Module("net"));
  return torchscript::Foldable(attributes).node(node_of(*graph, kind));
}

} // namespace

TEST_CASE("what is made of constants is computed, what is made of inputs is not") {
  const std::string ir = R"IR(
graph(%n : int):
  %two : int = prim::Constant[value=2]()
  %list : int[] = prim::ListConstruct(%two, %two)
  %copy : int[] = aten::copy(%list)
  %sum : int = aten::add(%n, %two)
  return (%copy, %sum))IR";
  CHECK(foldable(ir, "aten::copy"));
  CHECK_FALSE(foldable(ir, "aten::add"));
}

TEST_CASE("a list that is changed afterwards is not computed") {
  CHECK_FALSE(foldable(R"IR(
graph(%n : int):
  %two : int = prim::Constant[value=2]()
  %list : int[] = prim::ListConstruct(%two, %two)
  %copy : int[] = aten::copy(%list)
  %set : int[] = aten::_set_item(%copy, %two, %n)
  return (%copy))IR",
                       "aten::copy"));
}

TEST_CASE("a list that a loop of known length fills is computed, what reads it there is not") {
  const std::string ir = R"IR(
graph(%n : int):
  %yes : bool = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %list : int[] = prim::ListConstruct()
  prim::Loop(%two, %yes)
    block0(%i : int):
      %more : int[] = aten::append(%list, %i)
      -> (%yes)
  prim::Loop(%two, %yes)
    block0(%j : int):
      %got : int = aten::__getitem__(%list, %j)
      -> (%yes)
  return (%list))IR";
  CHECK(foldable(ir, "prim::ListConstruct"));
  CHECK_FALSE(foldable(ir, "aten::__getitem__"));
}

TEST_CASE("a list that takes an input in is not computed") {
  CHECK_FALSE(foldable(R"IR(
graph(%n : int):
  %list : int[] = prim::ListConstruct()
  %more : int[] = aten::append(%list, %n)
  return (%list))IR",
                       "prim::ListConstruct"));
}
