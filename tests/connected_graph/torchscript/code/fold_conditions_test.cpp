#include "connected_graph/torchscript/code/fold_conditions.h"
#include "connected_graph/torchscript/code/live_nodes.h"

#include <catch2/catch.hpp>
#include <torch/csrc/jit/ir/irparser.h>

#include <set>
#include <string>

using namespace model_validator;

namespace {

using Kinds = std::multiset<std::string>;

/// What reaches the result.
Kinds folded(const std::string& ir) {
  torch::jit::Graph graph;
  torch::jit::parseIR(ir, &graph);
  torchscript::fold_by_types(graph);
  Kinds kinds;
  for (const torch::jit::Node* node : torchscript::live_nodes(graph))
    if (node->kind() != torch::jit::prim::Constant) kinds.insert(node->kind().toQualString());
  return kinds;
}

/// The end of a graph that yields `tanh(%x)` where the condition holds, else `relu(%x)`.
std::string tanh_or_relu(const std::string& condition) {
  return "  %y : Tensor = prim::If(" + condition + R"IR()
    block0():
      %a : Tensor = aten::tanh(%x)
      -> (%a)
    block1():
      %b : Tensor = aten::relu(%x)
      -> (%b)
  return (%y))IR";
}

} // namespace

TEST_CASE("an arm that a test for None rules out is removed") {
  const Kinds kinds = folded(R"IR(
graph(%x : Tensor):
  %none : NoneType = prim::Constant()
  %cond : bool = aten::__is__(%x, %none)
)IR" + tanh_or_relu("%cond"));
  CHECK(kinds.contains("aten::relu"));
  CHECK_FALSE(kinds.contains("aten::tanh"));
  CHECK_FALSE(kinds.contains("prim::If"));
}

TEST_CASE("an arm that an optional argument decides stays") {
  const Kinds kinds = folded(R"IR(
graph(%x : Tensor, %w : Tensor?):
  %none : NoneType = prim::Constant()
  %cond : bool = aten::__isnot__(%w, %none)
  %y : Tensor = prim::If(%cond)
    block0():
      %cast : Tensor = prim::unchecked_cast(%w)
      %a : Tensor = aten::mul(%x, %cast)
      -> (%a)
    block1():
      -> (%x)
  return (%y))IR");
  CHECK(kinds.contains("prim::If"));
  CHECK(kinds.contains("aten::__isnot__"));
  CHECK(kinds.contains("prim::unchecked_cast"));
}

TEST_CASE("comparisons of constants decide nested arms") {
  const Kinds kinds = folded(R"IR(
graph(%x : Tensor, %flag : bool):
  %two : int = prim::Constant[value=2]()
  %three : int = prim::Constant[value=3]()
  %more : bool = aten::gt(%two, %three)
  %y : Tensor = prim::If(%flag)
    block0():
      %z : Tensor = prim::If(%more)
        block0():
          %a : Tensor = aten::tanh(%x)
          -> (%a)
        block1():
          %b : Tensor = aten::relu(%x)
          -> (%b)
      -> (%z)
    block1():
      -> (%x)
  return (%y))IR");
  CHECK(kinds.count("prim::If") == 1);
  CHECK(kinds.contains("aten::relu"));
  CHECK_FALSE(kinds.contains("aten::tanh"));
}

TEST_CASE("a boolean that both arms yield alike is known, whatever decides between them") {
  const Kinds kinds = folded(R"IR(
graph(%x : Tensor, %flag : bool):
  %no : bool = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %both : bool, %number : int = prim::If(%flag)
    block0():
      -> (%no, %one)
    block1():
      -> (%no, %one)
)IR" + tanh_or_relu("%both"));
  CHECK_FALSE(kinds.contains("aten::tanh"));
  CHECK(kinds.contains("aten::relu"));
}

TEST_CASE("lists, dicts and tuples that are taken apart where they are made go") {
  const Kinds kinds = folded(R"IR(
graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %key : str = prim::Constant[value="b"]()
  %other : str = prim::Constant[value="a"]()
  %list : Tensor[] = prim::ListConstruct(%x, %y)
  %length : int = aten::len(%list)
  %picked : Tensor = aten::__getitem__(%list, %one)
  %dict : Dict(str, Tensor) = prim::DictConstruct(%other, %x, %key, %picked)
  %value : Tensor = aten::__getitem__(%dict, %key)
  %sum : Tensor = aten::add(%value, %length, %one)
  return (%sum))IR");
  CHECK(kinds == Kinds{"aten::add"});
}
