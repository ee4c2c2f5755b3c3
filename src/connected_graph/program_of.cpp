#include "connected_graph/program_of.h"

#include "connected_graph/quantised_role.h"

#include <boost/range/iterator_range.hpp>

#include <algorithm>

namespace model_validator {
namespace {

class OpReader {
public:
  explicit OpReader(const ConnectedGraph& graph) : graph_(graph), first_value_(graph.op_count()) {}

  Program read() {
    for (const Parameter& parameter : graph_.parameters()) add_parameter(parameter);
    for (OpId id = 0; id < graph_.op_count(); ++id) add_results(id);
    for (OpId id = 0; id < graph_.op_count(); ++id) add_node(id);
    for (const OpId id : graph_.inputs()) {
      program_.values[first_value_[id]].origin = Origin::input;
      program_.inputs.push_back(first_value_[id]);
    }
    return std::move(program_);
  }

private:
  /// Values of parameters come first, so that both have one number.
  void add_parameter(const Parameter& parameter) {
    ProgramValue value{.name = parameter.path, .type = parameter.type, .origin = Origin::stored};
    value.parameter = program_.values.size();
    program_.values.push_back(std::move(value));
  }

  std::size_t result_count(OpId id) const {
    return std::max<std::size_t>(1, graph_.op(id).outputs.size());
  }

  void add_results(OpId id) {
    const Op& op = graph_.op(id);
    first_value_[id] = program_.values.size();
    for (std::size_t i = 0; i < result_count(id); ++i) {
      ProgramValue value{.name = op.name, .type = {}};
      if (i < op.outputs.size()) value.type = op.outputs[i];
      value.maker = op.kind == OpKind::input || op.kind == OpKind::constant ? none : id;
      if (op.kind == OpKind::constant) value.origin = Origin::stored;
      program_.values.push_back(std::move(value));
    }
  }

  void add_node(OpId id) {
    const Op& op = graph_.op(id);
    ProgramNode node;
    node.name = op.name;
    node.kind = op.kind;
    node.type = op.type;
    node.schema = op.schema.empty() ? op.type : op.schema;
    node.op = id;
    node.region = op.region;
    node.frame = op.frame;
    node.attributes = op.attributes;
    const RoleOfOp part = quantised_role(op);
    node.role = part.role;
    program_.quantised |= node.role != QuantisedRole::other;
    connect(id, node);
    if (node.role != QuantisedRole::other)
      node.quantised.push_back(
          {node.role == QuantisedRole::dequantise ? 0 : QuantisedOperand::result,
           quantisation_in(*part.arguments)});
    for (std::size_t i = 0; i < op.parameters.size(); ++i) add_weight(op, i, node);
    if (op.kind == OpKind::output && !node.inputs.empty() && node.inputs[0] != none)
      program_.outputs.emplace_back(op.name, node.inputs[0]);
    program_.nodes.push_back(std::move(node));
  }

  void connect(OpId id, ProgramNode& node) const {
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph_.graph()))) {
      const Product& product = graph_.graph()[edge];
      const OpId from = boost::source(edge, graph_.graph());
      put(first_value_[from] + std::min(product.output, result_count(from) - 1), product.input,
          node);
    }
    for (std::size_t i = 0; i < result_count(id); ++i) node.outputs.push_back(first_value_[id] + i);
  }

  static void put(ValueId value, std::size_t operand, ProgramNode& node) {
    if (node.inputs.size() <= operand) node.inputs.resize(operand + 1, none);
    node.inputs[operand] = value;
  }

  void add_weight(const Op& op, std::size_t number, ProgramNode& node) const {
    const ParameterId id = op.parameters[number];
    // A module is given something even where the graph does not hold it.
    const std::size_t next = std::max<std::size_t>(node.inputs.size(), op.kind == OpKind::module);
    const std::size_t operand =
        number < op.parameter_inputs.size() ? op.parameter_inputs[number] : next;
    put(id, operand, node);
    if (const auto& quantisation = graph_.parameters()[id].quantisation)
      node.quantised.push_back({operand, quantisation});
  }

  const ConnectedGraph& graph_;
  std::vector<ValueId> first_value_;
  Program program_;
};

} // namespace

std::shared_ptr<const Program> program_of(const ConnectedGraph& graph) {
  return graph.program ? graph.program : std::make_shared<const Program>(OpReader(graph).read());
}

std::multimap<OpId, const ProgramNode*> nodes_by_op(const Program& program) {
  std::multimap<OpId, const ProgramNode*> nodes;
  for (const ProgramNode& node : program.nodes) nodes.emplace(node.op, &node);
  return nodes;
}

} // namespace model_validator
