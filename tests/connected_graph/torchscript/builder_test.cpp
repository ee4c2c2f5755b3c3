#include "modules.h"

#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::test;

namespace {

/// `x * w` with the weight as a constant of the code, as a frozen file has it.
torch::jit::Module with_constant_weight(bool training_attribute) {
  torch::jit::Module module = module_of_ir(R"IR(
graph(%self, %x : Tensor):
  return (%x)
)IR");
  if (training_attribute) module.register_attribute("training", c10::BoolType::get(), false);
  auto& graph = *module.get_method("forward").graph();
  const auto point = graph.insertConstant(at::ones({2, 2}));
  auto* product = graph.insertNode(graph.create(c10::aten::mul, {graph.inputs()[1], point}));
  graph.eraseOutput(0);
  graph.registerOutput(product->output());
  return module;
}

} // namespace

TEST_CASE("a file without modules, parameters and even `training` was frozen") {
  CHECK_FALSE(torchscript::build_graph(with_constant_weight(false)).origin.has_modules);
}

TEST_CASE("a user's own module with a constant was not") {
  CHECK(torchscript::build_graph(with_constant_weight(true)).origin.has_modules);
}

TEST_CASE("nor was a module with parameters that was made in C++") {
  torch::jit::Module module("Net");
  module.register_parameter("weight", at::ones({2, 2}), false);
  module.define("def forward(self, x):\n    return x * self.weight\n");
  CHECK(torchscript::build_graph(module).origin.has_modules);
}

TEST_CASE("a bare module of torch is one op, called once by nobody") {
  const ConnectedGraph graph = torchscript::build_graph(linear(at::ones({4, 8})));
  CHECK(names(graph, OpKind::module) == std::vector<std::string>{"linear_0"});
  CHECK(names(graph, OpKind::functional).empty());
  const Op& op = op_named(graph, "linear_0");
  CHECK(op.module == 0);
  CHECK(op.parent == none);
  CHECK(op.parameters == graph.module(0).parameters);
  CHECK(op.outputs.size() == 1);
  CHECK(graph.product_count() == 2);
  CHECK(graph.module(0).calls == 1);
  CHECK(graph.op(graph.module(0).call_sites.at(0).op).name == "linear_0");
}

TEST_CASE("a bare module of the user's is walked into, and so is one that was frozen") {
  const auto net = module_of("__torch__.net.Net", "def forward(self, x):\n    return x.relu()\n");
  CHECK(names(torchscript::build_graph(net), OpKind::functional) ==
        std::vector<std::string>{"relu_0"});
  torch::jit::Module frozen("__torch__.torch.nn.modules.activation.ReLU");
  frozen.define("def forward(self, x):\n    return x.relu()\n");
  CHECK(names(torchscript::build_graph(frozen), OpKind::module).empty());
}
