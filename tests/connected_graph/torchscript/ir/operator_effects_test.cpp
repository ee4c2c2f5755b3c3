#include "connected_graph/torchscript/ir/operator_effects.h"
#include "ir.h"

#include <ATen/ops/arange.h>
#include <catch2/catch.hpp>
#include <torch/csrc/jit/runtime/interpreter.h>

using namespace model_validator;
using namespace model_validator::torchscript;
using test::parsed_ir;

namespace {

/// An operator that takes %x, a tensor of two rows of three numbers.
struct Sample {
  std::string text;
  explicit Sample(std::string line) : text(std::move(line)) {}

  std::shared_ptr<torch::jit::Graph> graph() const {
    return parsed_ir("graph(%x : Tensor):\n" + text + "\n  return (%y)");
  }
  c10::IValue run(const at::Tensor& x) const {
    torch::jit::Stack stack{x};
    torch::jit::InterpreterState(torch::jit::Code(graph(), "sample")).run(stack);
    return stack.back();
  }
};

torch::jit::Node& last_node(torch::jit::Graph& graph) { return *graph.outputs()[0]->node(); }

at::Tensor numbers() { return at::arange(6, at::kFloat).view({2, 3}); }

bool shares_memory(const c10::IValue& result, const at::Tensor& x) {
  if (result.isTensor()) return result.toTensor().is_alias_of(x);
  return result.isTensorList() && result.toTensorVector().at(0).is_alias_of(x);
}

} // namespace

TEST_CASE("an operator writes, and passes memory on, as it does when it runs") {
  const auto text = GENERATE(
      "  %one : int = prim::Constant[value=1]()\n  %y : Tensor = aten::add(%x, %x, %one)",
      "  %one : int = prim::Constant[value=1]()\n  %y : Tensor = aten::add_(%x, %x, %one)",
      "  %y : Tensor = aten::relu(%x)", "  %y : Tensor = aten::relu_(%x)",
      "  %y : Tensor = aten::zero_(%x)", "  %y : Tensor = aten::t(%x)",
      "  %y : Tensor = aten::contiguous(%x, %zero)", "  %y : Tensor = aten::detach(%x)",
      "  %y : Tensor = aten::unsqueeze(%x, %zero)", "  %y : Tensor = aten::clone(%x, %none)",
      "  %y : Tensor = aten::select(%x, %zero, %zero)",
      "  %y : Tensor = aten::to(%x, %six, %no, %no, %none)",
      "  %y : Tensor[] = aten::unbind(%x, %zero)",
      "  %y : Tensor[] = aten::split(%x, %six, %zero)");
  const Sample sample("  %zero : int = prim::Constant[value=0]()\n"
                      "  %six : int = prim::Constant[value=6]()\n"
                      "  %no : bool = prim::Constant[value=0]()\n"
                      "  %none : NoneType = prim::Constant()\n" +
                      std::string(text));
  const at::Tensor x = numbers();
  const auto before = x._version();
  const c10::IValue result = sample.run(x);
  const auto graph = sample.graph();
  const torch::jit::Node& node = last_node(*graph);
  INFO(text);
  CHECK(writes(node, 0) == (x._version() != before));
  CHECK(writes(node) == writes(node, 0));
  CHECK((is_view(node) || writes(node, 0)) == shares_memory(result, x));
  CHECK(returns_memory(node.schema()) == shares_memory(result, x));
}

TEST_CASE("what only describes a tensor is the same for all values") {
  const auto text =
      GENERATE("  %y : int[] = aten::size(%x)", "  %y : int = aten::dim(%x)",
               "  %y : int = aten::numel(%x)", "  %y : int = aten::len(%x)",
               "  %y : int = prim::dtype(%x)", "  %y : bool = prim::is_cuda(%x)",
               "  %y : bool = prim::requires_grad(%x)", "  %y : Device = prim::device(%x)",
               "  %y : bool = aten::is_floating_point(%x)", "  %y : bool = aten::is_complex(%x)");
  const Sample sample{std::string(text)};
  const auto graph = sample.graph();
  INFO(text);
  CHECK(describes(last_node(*graph)));
  CHECK(sample.run(numbers()) == sample.run(numbers() + 7));
}

TEST_CASE("what tells values, or strides, describes nothing") {
  for (const char* text : {"  %y : Scalar = aten::item(%x)", "  %y : int[] = aten::stride(%x)",
                           "  %y : bool = aten::is_nonzero(%x)", "  %y : Tensor = aten::sum(%x)"}) {
    const auto graph = Sample(text).graph();
    CHECK_FALSE(describes(last_node(*graph)));
  }
}

TEST_CASE("what is built or picked is what it was") {
  const auto graph = parsed_ir(R"IR(
graph(%x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %pair : (Tensor, Tensor) = prim::TupleConstruct(%x, %x)
  %list : Tensor[] = prim::ListConstruct(%x)
  %first : Tensor = prim::TupleIndex(%pair, %zero)
  %a : Tensor, %b : Tensor = prim::TupleUnpack(%pair)
  %y : Tensor = aten::__getitem__(%list, %zero)
  return (%y))IR");
  for (const char* kind : {"prim::TupleConstruct", "prim::ListConstruct"}) {
    CHECK(builds(test::node_of(*graph, kind)));
    CHECK(is_deterministic(test::node_of(*graph, kind)));
    CHECK_FALSE(picks(test::node_of(*graph, kind)));
  }
  for (const char* kind : {"prim::TupleIndex", "prim::TupleUnpack", "aten::__getitem__"}) {
    CHECK(picks(test::node_of(*graph, kind)));
    CHECK_FALSE(builds(test::node_of(*graph, kind)));
  }
}
