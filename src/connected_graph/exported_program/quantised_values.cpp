#include "connected_graph/exported_program/quantised_values.h"

#include "connected_graph/quantised_role.h"

namespace model_validator::exported_program {
namespace {

/// With the numbers of scales and zero points that are parameters.
std::shared_ptr<const Quantisation> quantisation_of(const ProgramNode& node, const Program& program,
                                                    const ConnectedGraph& graph,
                                                    const StoredNumbers& stored_numbers) {
  auto quantisation = std::make_shared<Quantisation>(*quantisation_in(node.attributes));
  const auto take = [&](std::size_t number, QuantisationNumbers& numbers) {
    const ProgramValue* value = program.input(node, number);
    if (numbers.given || value == nullptr) return;
    numbers.name = value->name;
    numbers.type = value->type;
    numbers.given = true;
    numbers.constant = value->stored();
    if (value->parameter != none)
      numbers.values = stored_numbers(graph.parameters()[value->parameter]);
  };
  take(1, quantisation->scale);
  take(2, quantisation->zero_point);
  return quantisation;
}

} // namespace

void mark_quantised_values(GraphAssembler& assembler, const ConnectedGraph& graph,
                           const StoredNumbers& numbers) {
  const Program& program = assembler.program();
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const ProgramNode& node = program.nodes[i];
    if (!has_parameters(node.role)) continue;
    const bool reads = node.role == QuantisedRole::dequantise;
    assembler.node(i).quantised.push_back(
        {reads ? 0 : QuantisedOperand::result, quantisation_of(node, program, graph, numbers)});
    if (node.outputs.empty()) continue;
    ProgramValue& result = assembler.value(node.outputs[0]);
    auto quantisation = std::make_shared<Quantisation>(*quantisation_in(node.attributes));
    if (node.role == QuantisedRole::quantise)
      quantisation->dtype = result.type.dtype;
    else if (const ProgramValue* stored = program.input(node, 0); reads && stored != nullptr)
      quantisation->dtype = stored->type.dtype;
    result.quantisation = std::move(quantisation);
  }
}

} // namespace model_validator::exported_program
