#pragma once

#include "connected_graph/torchscript/builder.h"

#include <model_validator/connected_graph.h>

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/irparser.h>

#include <map>
#include <string>
#include <vector>

namespace model_validator::test {

/// A module with methods in TorchScript.
inline torch::jit::Module module_of(const std::string& class_name, const std::string& source) {
  torch::jit::Module module(class_name);
  module.register_attribute("training", c10::BoolType::get(), false);
  if (!source.empty()) module.define(source);
  return module;
}

/// As it stands in a file that torch's own ReLU was saved in.
inline torch::jit::Module relu() {
  return module_of("__torch__.torch.nn.modules.activation.ReLU",
                   "def forward(self, x):\n    return torch.relu(x)\n");
}

/// A leaf of torch.nn with a weight.
inline torch::jit::Module linear(const at::Tensor& weight) {
  torch::jit::Module module("__torch__.torch.nn.modules.linear.Linear");
  module.register_attribute("training", c10::BoolType::get(), false);
  module.register_parameter("weight", weight, false);
  module.define("def forward(self, x):\n    return torch.linear(x, self.weight)\n");
  return module;
}

/// A module whose `forward` is a graph in the text of TorchScript's own representation.
inline torch::jit::Module module_of_ir(const std::string& ir) {
  torch::jit::Module module("__torch__.net.Net");
  auto graph = std::make_shared<torch::jit::Graph>();
  torch::jit::parseIR(ir, graph.get());
  graph->inputs()[0]->setType(module.type());
  auto* function = module._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*module.type()->name(), "forward"), graph);
  module.type()->addMethod(function);
  return module;
}

using Children = std::vector<std::pair<std::string, torch::jit::Module>>;

inline torch::jit::Module network(const Children& children, const std::string& source,
                                  const std::string& class_name = "__torch__.net.Net") {
  torch::jit::Module module(class_name);
  module.register_attribute("training", c10::BoolType::get(), false);
  for (const auto& [name, child] : children) module.register_module(name, child);
  module.define(source);
  return module;
}

inline const Module& module_at(const ConnectedGraph& graph, const std::string& path) {
  for (const Module& module : graph.modules())
    if (module.path == path) return module;
  throw std::runtime_error("no module " + path);
}

inline std::size_t calls(const torch::jit::Module& root, const std::string& path) {
  return module_at(torchscript::build_graph(root), path).calls;
}

/// The ops of one kind by name, in execution order.
inline std::vector<std::string> names(const ConnectedGraph& graph, OpKind kind) {
  std::vector<std::string> found;
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (graph.op(id).kind == kind) found.push_back(graph.op(id).name);
  return found;
}

inline const Op& op_named(const ConnectedGraph& graph, const std::string& name) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (graph.op(id).name == name) return graph.op(id);
  throw std::runtime_error("no op " + name);
}

} // namespace model_validator::test
