#include "connected_graph/attributes.h"

#include <model_validator/data/contains.h>
#include <model_validator/program.h>

namespace model_validator {

const AttributeValue* NodeView::attribute(std::string_view name) const {
  static const AttributeValue opaque;
  const AttributeValue* found = find_attribute(node_->attributes, name);
  return found == nullptr && contains(node_->opaque, name) ? &opaque : found;
}

std::vector<NodeView> all_nodes(const Program& program) {
  std::vector<NodeView> all;
  for (const auto* nodes : {&program.nodes, &program.literals})
    for (const ProgramNode& node : *nodes) all.emplace_back(program, node);
  return all;
}

std::vector<std::vector<ValueReader>> readers_of(const Program& program) {
  std::vector<std::vector<ValueReader>> readers(program.values.size());
  for (std::size_t node = 0; node < program.nodes.size(); ++node)
    for (std::size_t input = 0; input < program.nodes[node].inputs.size(); ++input)
      if (const ValueId value = program.nodes[node].inputs[input]; value != none)
        readers[value].push_back({node, input});
  return readers;
}

} // namespace model_validator
