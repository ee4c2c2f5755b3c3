#include "connected_graph/torchscript/code/live_nodes.h"

#include <catch2/catch.hpp>
#include <torch/csrc/jit/ir/irparser.h>

#include <set>
#include <string>

using namespace model_validator::torchscript;

namespace {

std::set<std::string> live(const std::string& text) {
  torch::jit::Graph graph;
  torch::jit::parseIR(text, &graph);
  std::set<std::string> kinds;
  for (const torch::jit::Node* node : live_nodes(graph))
    kinds.insert(node->kind().toUnqualString());
  kinds.erase("Constant");
  return kinds;
}

} // namespace

TEST_CASE("what reaches no output is dead, with all that feeds it alone") {
  CHECK(live(R"IR(
graph(%x : Tensor):
  %d : int = aten::dim(%x)
  %two : int = prim::Constant[value=2]()
  %same : bool = aten::eq(%d, %two)
  %y : Tensor = aten::relu(%x)
  %z : Tensor = aten::sigmoid(%x)
  return (%y))IR") == std::set<std::string>{"relu"});
}

TEST_CASE("a live if keeps both arms and its condition live") {
  CHECK(live(R"IR(
graph(%x : Tensor, %c : bool):
  %n : bool = aten::__not__(%c)
  %y : Tensor = prim::If(%n)
    block0():
      %a : Tensor = aten::relu(%x)
      %unused : Tensor = aten::tanh(%x)
      -> (%a)
    block1():
      %b : Tensor = aten::sigmoid(%x)
      -> (%b)
  return (%y))IR") == std::set<std::string>{"If", "__not__", "relu", "sigmoid"});
}

TEST_CASE("an if that yields nothing is dead") {
  CHECK(live(R"IR(
graph(%x : Tensor, %c : bool):
  prim::If(%c)
    block0():
      %a : Tensor = aten::relu(%x)
      -> ()
    block1():
      -> ()
  return (%x))IR")
            .empty());
}

TEST_CASE("what writes into a value, or into a view of it, is alive") {
  CHECK(live(R"IR(
graph(%x : Tensor, %v : Tensor):
  %zero : int = prim::Constant[value=0]()
  %false : bool = prim::Constant[value=0]()
  %row : Tensor = aten::select(%x, %zero, %zero)
  %w : Tensor = aten::relu(%v)
  %written : Tensor = aten::copy_(%row, %w, %false)
  %other : Tensor = aten::tanh(%v)
  return (%x))IR") == std::set<std::string>{"select", "relu", "copy_"});
}

TEST_CASE("what is appended to a list that is returned is alive") {
  CHECK(live(R"IR(
graph(%x : Tensor):
  %list : Tensor[] = prim::ListConstruct()
  %y : Tensor = aten::relu(%x)
  %l : Tensor[] = aten::append(%list, %y)
  return (%list))IR") == std::set<std::string>{"ListConstruct", "relu", "append"});
}
