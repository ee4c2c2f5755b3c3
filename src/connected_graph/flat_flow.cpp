#include "connected_graph/flat_flow.h"

#include "connected_graph/quantised_role.h"

#include <model_validator/quantisation.h>

#include <algorithm>

namespace model_validator {
namespace {

class FlowWriter {
public:
  FlowWriter(const GraphAssembler& assembler, const ConnectedGraph& graph,
             const StoredNumbers& numbers)
      : assembler_(assembler), graph_(graph), numbers_(numbers),
        of_parameters_(graph.parameters().size(), none) {}

  NodeFlow write() {
    for (const FlatValue& value : assembler_.values()) {
      FlowValue described;
      described.name = value.name;
      described.type = value.type;
      flow_.values.push_back(std::move(described));
    }
    for (std::size_t i = 0; i < assembler_.nodes().size(); ++i) add(i);
    flow_.inputs = assembler_.inputs();
    for (const auto& [name, value] : assembler_.outputs())
      if (value != none) flow_.outputs.push_back(value);
    return std::move(flow_);
  }

private:
  void add(std::size_t number) {
    const FlatNode& flat = assembler_.nodes()[number];
    if (flat.kind == OpKind::constant) {
      for (const ValueId value : flat.outputs) flow_.values[value].constant = true;
      return;
    }
    FlowNode node;
    node.schema = flat.schema;
    node.role = quantised_role(flat.schema);
    node.attributes = flat.attributes;
    node.op = assembler_.op_of(number);
    node.region = flat.region;
    node.outputs = flat.outputs;
    node.inputs = operands_of(flat);
    if (!flat.outputs.empty()) node.name = assembler_.value(flat.outputs[0]).name;
    for (const ValueId value : flat.outputs) flow_.values[value].maker = flow_.nodes.size();
    if (has_parameters(node.role)) {
      const bool reads = node.role == QuantisedRole::dequantise;
      node.quantised.push_back(
          {reads ? 0 : QuantisedOperand::result, quantisation_of(flat, node.inputs)});
      flow_.quantised = true;
    }
    flow_.nodes.push_back(std::move(node));
  }

  /// Parameters stand where the list has no value, in their order.
  std::vector<std::size_t> operands_of(const FlatNode& flat) {
    std::vector<std::size_t> operands = flat.inputs;
    const auto absent =
        static_cast<std::size_t>(std::count(operands.begin(), operands.end(), none));
    if (absent != flat.parameters.size()) return operands;
    std::size_t next = 0;
    for (std::size_t& operand : operands)
      if (operand == none) operand = value_of(flat.parameters[next++]);
    return operands;
  }

  std::size_t value_of(ParameterId parameter) {
    std::size_t& value = of_parameters_[parameter];
    if (value != none) return value;
    value = flow_.values.size();
    const Parameter& stored = graph_.parameters()[parameter];
    FlowValue described;
    described.name = stored.path;
    described.type = stored.type;
    described.parameter = parameter;
    described.constant = true;
    flow_.values.push_back(std::move(described));
    return value;
  }

  std::shared_ptr<const Quantisation> quantisation_of(const FlatNode& flat,
                                                      const std::vector<std::size_t>& operands) {
    auto quantisation = std::make_shared<Quantisation>(*quantisation_in(flat.attributes));
    const auto take = [&](std::size_t number, QuantisationNumbers& numbers) {
      if (numbers.given || number >= operands.size() || operands[number] == none) return;
      const FlowValue& value = flow_.values[operands[number]];
      numbers.name = value.name;
      numbers.type = value.type;
      numbers.given = true;
      numbers.constant = value.constant;
      if (value.parameter != none) numbers.values = numbers_(graph_.parameters()[value.parameter]);
    };
    take(1, quantisation->scale);
    take(2, quantisation->zero_point);
    return quantisation;
  }

  const GraphAssembler& assembler_;
  const ConnectedGraph& graph_;
  const StoredNumbers& numbers_;
  std::vector<std::size_t> of_parameters_; ///< their values
  NodeFlow flow_;
};

} // namespace

void mark_quantised_values(GraphAssembler& assembler) {
  for (const FlatNode& node : assembler.nodes()) {
    if (!has_parameters(quantised_role(node.schema)) || node.outputs.empty()) continue;
    auto quantisation = std::make_shared<Quantisation>(*quantisation_in(node.attributes));
    if (quantised_role(node.schema) == QuantisedRole::quantise)
      quantisation->dtype = assembler.value(node.outputs[0]).type.dtype;
    else if (!node.inputs.empty() && node.inputs[0] != none &&
             quantised_role(node.schema) == QuantisedRole::dequantise)
      quantisation->dtype = assembler.value(node.inputs[0]).type.dtype;
    assembler.set_quantisation(node.outputs[0], std::move(quantisation));
  }
}

std::shared_ptr<const NodeFlow> flow_of_nodes(const GraphAssembler& assembler,
                                              const ConnectedGraph& graph, bool wanted,
                                              const StoredNumbers& numbers) {
  const auto& nodes = assembler.nodes();
  if (!wanted && std::none_of(nodes.begin(), nodes.end(), [](const FlatNode& node) {
        return quantised_role(node.schema) != QuantisedRole::other;
      }))
    return nullptr;
  return std::make_shared<const NodeFlow>(FlowWriter(assembler, graph, numbers).write());
}

} // namespace model_validator
