#include "run/script.h"
#include "verify/run/recording_check.h"
#include "verify/run/retrace.h"

#include <model_validator/error.h>

#include <ATen/ATen.h>
#include <catch2/catch.hpp>
#include <torch/csrc/jit/ir/irparser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

using namespace model_validator::verify;

namespace {

torch::jit::Module with_a_loop() {
  auto inner = torch::jit::Module("Inner");
  inner.register_parameter("weight", at::full({3}, 2.0F).set_requires_grad(true), false);
  define(inner, "def forward(self, x):\n  return torch.sin(x) * self.weight");
  auto root = torch::jit::Module("Root");
  root.register_module("block", inner);
  define(root, R"(
    def forward(self, x, n: int):
      for i in range(n):
        x = self.block.forward(x)
      if n > 1:
        x = -x
      return {"y": (x, x.size(0))})");
  return root;
}

std::vector<torch::jit::Node*> nodes_of(torch::jit::Graph& graph, c10::Symbol kind) {
  std::vector<torch::jit::Node*> nodes;
  for (auto* node : graph.nodes())
    if (node->kind() == kind) nodes.push_back(node);
  return nodes;
}

} // namespace

TEST_CASE("a scripted module becomes one flat graph of what ran") {
  const auto module = with_a_loop();
  const auto input = at::randn({3});
  const auto flat = retrace(module, {input, 2});
  CHECK(nodes_of(*flat.graph, torch::jit::prim::Loop).empty());
  CHECK(nodes_of(*flat.graph, torch::jit::prim::CallMethod).empty());
  const auto sines = nodes_of(*flat.graph, c10::aten::sin);
  REQUIRE(sines.size() == 2);
  CHECK(module_path_of(*sines[0]) == "block");
  CHECK(module_path_of(*nodes_of(*flat.graph, c10::aten::neg).at(0)).empty());

  torch::jit::GraphExecutor executor(flat.graph, "flat");
  torch::jit::Stack stack{input};
  executor.run(stack);
  auto plain = module;
  const auto expected = flat_tensors(plain.forward({input, 2}));
  REQUIRE(stack.size() == expected.size());
  CHECK(stack[0].toTensor().equal(expected[0]));
  CHECK(stack[1].toTensor().item<std::int64_t>() == 3);
}

TEST_CASE("a tensor that is not a parameter may require gradients") {
  auto module = torch::jit::Module("Net");
  module.register_attribute("scale", c10::TensorType::get(), at::ones({3}).set_requires_grad(true));
  define(module, "def forward(self, x):\n  return x * self.scale");
  const auto flat = retrace(module, {at::ones({3})});
  CHECK(nodes_of(*flat.graph, c10::aten::mul).size() == 1);
}

TEST_CASE("what a run writes into a buffer is not what is recorded") {
  auto module = torch::jit::Module("Net");
  module.register_buffer("state", at::ones({3}));
  define(module, "def forward(self, x):\n  self.state.mul_(2.0).add_(x)\n  return self.state + 0");
  const auto flat = retrace(module, {at::ones({3})});
  CHECK(module.attr("state").toTensor().equal(at::ones({3})));
  torch::jit::Stack stack{at::ones({3})};
  torch::jit::GraphExecutor(flat.graph, "flat").run(stack);
  CHECK(stack[0].toTensor().equal(at::full({3}, 3)));
}

TEST_CASE("numbers that code turns into a tensor are recorded") {
  auto module = torch::jit::Module("Net");
  SECTION("a list") {
    define(module, "def forward(self, x):\n  return x + torch.tensor([1., 2., 3.])");
  }
  SECTION("written into later") {
    define(module, R"(
    def forward(self, x):
      steps = torch.tensor([0, 2, 4]) + 1
      scale = torch.tensor([[5., 2., 3.]])
      x = x + scale[0]
      scale[0, 0] = 1.
      return x - scale * 2 + steps.float())");
  }
  SECTION("a list of a traced size") {
    define(module, "def forward(self, x):\n  return x * torch.tensor([x.size(0), 7, 9])");
  }
  const auto flat = retrace(module, {at::zeros({3})});
  torch::jit::Stack stack{at::full({3}, 5)};
  torch::jit::GraphExecutor(flat.graph, "flat").run(stack);
  CHECK(stack[0].toTensor().equal(module.forward({at::full({3}, 5)}).toTensor()));
}

TEST_CASE("a recording that lacks what the run did is refused") {
  auto graph = std::make_shared<torch::jit::Graph>();
  torch::jit::parseIR(R"IR(graph(%x : Tensor):
    %two : int = prim::Constant[value=2]()
    %y : Tensor = aten::mul(%x, %two)
    return (%y))IR",
                      graph.get());
  const RecordingCheck check;
  CHECK_NOTHROW(check.require_same(*graph, {at::ones({3})}, {at::full({3}, 2.F)}));
  CHECK_THROWS_AS(check.require_same(*graph, {at::ones({3})}, {at::full({3}, 3.F)}),
                  model_validator::Error);
}

TEST_CASE("a recording repeats the run's random numbers, and writes into nothing of the model") {
  auto module = torch::jit::Module("Net");
  module.register_buffer("state", at::ones({3}));
  define(module,
         "def forward(self, x):\n  self.state.add_(torch.rand_like(x))\n  return self.state + x");
  CHECK_NOTHROW(retrace(module, {at::ones({3})}));
  CHECK(module.attr("state").toTensor().equal(at::ones({3})));
}
