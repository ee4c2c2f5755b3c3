#include "verify/backends/drop_empties.h"

#include <catch2/catch.hpp>
#include <torch/csrc/jit/ir/irparser.h>

#include <string>
#include <vector>

using namespace model_validator::verify;

namespace {

constexpr auto filled = "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)";
constexpr auto filled_long = "Long(2, 3, strides=[3, 1], requires_grad=0, device=cpu)";
constexpr auto empty = "Float(0, strides=[1], requires_grad=0, device=cpu)";
constexpr auto empty_rows = "Float(0, 3, strides=[3, 1], requires_grad=0, device=cpu)";

/// The names of what is concatenated, once the empties are dropped from tensors of these types.
std::vector<std::string> kept_of(const std::vector<std::string>& types) {
  std::string inputs, names;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string name = "%t" + std::to_string(i);
    inputs += (i == 0 ? "" : ", ") + name + " : " + types[i];
    names += (i == 0 ? "" : ", ") + name;
  }
  torch::jit::Graph graph;
  torch::jit::parseIR("graph(" + inputs + "):\n  %axis : int = prim::Constant[value=0]()\n" +
                          "  %list : Tensor[] = prim::ListConstruct(" + names + ")\n" +
                          "  %all : Tensor = aten::cat(%list, %axis)\n  return (%all)\n",
                      &graph);
  drop_empties(graph);
  graph.lint();
  std::vector<std::string> kept;
  for (const auto* value : graph.outputs()[0]->node()->input(0)->node()->inputs())
    kept.push_back(value->debugName());
  return kept;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("tensors without elements are dropped from a concatenation") {
  CHECK(kept_of({empty, filled, empty_rows, filled}) == Names{"t1", "t3"});
  CHECK(kept_of({filled, empty}) == Names{"t0"});
}

TEST_CASE("a concatenation keeps tensors that must not be dropped") {
  CHECK(kept_of({filled, filled}) == Names{"t0", "t1"});
  SECTION("nothing would be left") { CHECK(kept_of({empty, empty_rows}) == Names{"t0", "t1"}); }
  SECTION("its size is not known") {
    CHECK(kept_of({"Tensor", filled}) == Names{"t0", "t1"});
    CHECK(kept_of({"Float(*, 3)", filled}) == Names{"t0", "t1"});
  }
  SECTION("the dtype of the result is that of the empty one") {
    CHECK(kept_of({empty, filled_long}) == Names{"t0", "t1"});
  }
}

TEST_CASE("a list that is no list of the graph is left alone") {
  torch::jit::Graph graph;
  torch::jit::parseIR(R"IR(graph(%list : Tensor[]):
    %axis : int = prim::Constant[value=0]()
    %all : Tensor = aten::cat(%list, %axis)
    return (%all))IR",
                      &graph);
  const auto before = graph.toString();
  drop_empties(graph);
  CHECK(graph.toString() == before);
}
