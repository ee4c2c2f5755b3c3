#include "verify/backends/flat_module_file.h"

#include "verify/backends/drop_empties.h"
#include "verify/run/retrace.h"

#include <ATen/core/ivalue_inl.h>
#include <torch/csrc/jit/ir/constants.h>

#include <string>

namespace model_validator::verify {
namespace {

/// Tensors, which the text of a graph lacks, and floats, of which it has infinity as a word.
std::optional<c10::IValue> constant_beside_text(const torch::jit::Node& node) {
  if (node.kind() != torch::jit::prim::Constant) return std::nullopt;
  const auto value = torch::jit::toIValue(node.output());
  if (!value || !(value->isTensor() || value->isDouble())) return std::nullopt;
  return value->isTensor() ? c10::IValue(value->toTensor().detach().contiguous()) : *value;
}

struct Contents {
  c10::List<std::string> paths;
  std::vector<c10::IValue> constants;
};

/// Leaves in the graph what its text can hold.
Contents take_contents(torch::jit::Graph& graph) {
  Contents contents;
  const auto no_scope = c10::make_intrusive<torch::jit::Scope>();
  for (auto node = graph.nodes().begin(); node != graph.nodes().end(); ++node) {
    if (auto constant = constant_beside_text(**node)) {
      auto* output = node->output();
      output->replaceAllUsesWith(graph.addInput()->setType(output->type()));
      contents.constants.push_back(*std::move(constant));
      node.destroyCurrent();
    } else {
      contents.paths.push_back(module_path_of(**node));
      node->setScope(no_scope);
    }
  }
  return contents;
}

} // namespace

void write_flat_module(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs,
                       const std::filesystem::path& file) {
  const auto graph = retrace(module, clone_inputs(inputs)).graph;
  drop_empties(*graph);
  for (std::size_t i = 0; i < graph->inputs().size(); ++i)
    graph->inputs()[i]->setDebugName("input_" + std::to_string(i));
  const auto [paths, constants] = take_contents(*graph);
  torch::jit::Module written("Flat");
  const auto all = c10::ivalue::Tuple::create(constants);
  constexpr bool with_source_locations = false;
  written.register_attribute("text", c10::StringType::get(),
                             graph->toString(with_source_locations));
  written.register_attribute("paths", c10::ListType::ofStrings(), paths);
  written.register_attribute("constants", all->type(), all);
  written.save(file.string());
}

} // namespace model_validator::verify
