#include "validators/program_view.h"

#include "connected_graph/attributes.h"
#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"
#include "connected_graph/quantised_role.h"
#include "validators/op_finding.h"

#include <algorithm>

namespace model_validator {
namespace {

/// Whether it hands its operands on, or chooses among them, without computing.
bool passes_on(const ProgramNode& node) {
  return does(operator_of(node), moves | Does::drops_out | Does::bounds | Does::interpolates);
}

/// Weights that a quantised module packs.
void add_weights(const ConnectedGraph& graph, const Op& op, ProgramNode& node, Program& program) {
  for (const ParameterId id : op.parameters) {
    const Parameter& parameter = graph.parameters()[id];
    if (!parameter.quantisation) continue;
    ProgramValue value;
    value.name = parameter.path;
    value.type = parameter.type;
    value.parameter = id;
    value.origin = Origin::stored;
    node.quantised.push_back({node.inputs.size(), parameter.quantisation});
    node.inputs.push_back(program.values.size());
    program.values.push_back(std::move(value));
  }
}

std::size_t result_count(const Op& op) { return std::max<std::size_t>(1, op.outputs.size()); }

/// The results of each op; where the first of each is among all values.
std::vector<std::size_t> add_results(const ConnectedGraph& graph, Program& program) {
  std::vector<std::size_t> first_value(graph.op_count());
  for (OpId id = 0; id < graph.op_count(); ++id) {
    first_value[id] = program.values.size();
    const Op& op = graph.op(id);
    for (std::size_t i = 0; i < result_count(op); ++i) {
      ProgramValue value;
      value.name = op.name;
      if (i < op.outputs.size()) value.type = op.outputs[i];
      value.maker = op.kind == OpKind::input || op.kind == OpKind::constant ? none : id;
      if (op.kind == OpKind::constant) value.origin = Origin::stored;
      program.values.push_back(std::move(value));
    }
  }
  return first_value;
}

void connect(const ConnectedGraph& graph, OpId id, const std::vector<std::size_t>& first_value,
             ProgramNode& node) {
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph()))) {
    const Product& product = graph.graph()[edge];
    const OpId from = boost::source(edge, graph.graph());
    if (node.inputs.size() <= product.input) node.inputs.resize(product.input + 1, none);
    node.inputs[product.input] =
        first_value[from] + std::min(product.output, result_count(graph.op(from)) - 1);
  }
  for (std::size_t i = 0; i < result_count(graph.op(id)); ++i)
    node.outputs.push_back(first_value[id] + i);
}

/// The ops of a graph as nodes, where the front end keeps none.
Program flow_of_ops(const ConnectedGraph& graph) {
  Program program;
  const auto first_value = add_results(graph, program);
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    ProgramNode node;
    node.name = op.name;
    node.kind = op.kind;
    node.schema = op.schema.empty() ? op.type : op.schema;
    const RoleOfOp part = quantised_role(op);
    node.role = part.role;
    node.op = id;
    node.region = op.region;
    node.attributes = op.attributes;
    connect(graph, id, first_value, node);
    if (node.role != QuantisedRole::other) {
      node.quantised.push_back(
          {node.role == QuantisedRole::dequantise ? 0 : QuantisedOperand::result,
           quantisation_in(*part.arguments)});
      program.quantised = true;
    }
    add_weights(graph, op, node, program);
    if (op.kind == OpKind::output && !node.inputs.empty() && node.inputs[0] != none)
      program.outputs.emplace_back(op.name, node.inputs[0]);
    program.nodes.push_back(std::move(node));
  }
  return program;
}

bool has_quantised_op(const ConnectedGraph& graph) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (is_quantised(graph.op(id))) return true;
  return false;
}

std::shared_ptr<const Program> program_of(const ConnectedGraph& graph) {
  static const auto nothing = std::make_shared<const Program>();
  if (graph.program) return graph.program;
  if (!has_quantised_op(graph)) return nothing;
  return std::make_shared<const Program>(flow_of_ops(graph));
}

/// Whether what a node yields is constant, and comes from what is quantised.
void follow(const ProgramNode& node, std::vector<bool>& constant, std::vector<bool>& quantised) {
  const auto all = [&node](const auto& holds) {
    return !node.inputs.empty() && std::ranges::all_of(node.inputs, [&](ValueId input) {
      return input == none || holds(input);
    });
  };
  const bool only_constants = all([&](ValueId input) { return constant[input]; });
  const bool passed_on =
      passes_on(node) && all([&](ValueId input) { return quantised[input] || constant[input]; });
  for (const ValueId output : node.outputs) {
    constant[output] = only_constants;
    quantised[output] = node.role != QuantisedRole::other || (passed_on && !only_constants);
  }
}

} // namespace

ProgramView::ProgramView(const ConnectedGraph& graph) : graph_(graph), program_(program_of(graph)) {
  if (!program_->quantised) return;
  const std::size_t count = program_->values.size();
  readers_ = readers_of(*program_);
  constant_.assign(count, false);
  from_quantised_.assign(count, false);
  is_output_.assign(count, false);
  for (const auto& [name, output] : program_->outputs)
    if (output != none) is_output_[output] = true;
  for (std::size_t id = 0; id < count; ++id) {
    constant_[id] = value(id).stored();
    from_quantised_[id] = value(id).origin == Origin::body; // nobody says whether it was
  }
  for (const ProgramNode& each : program_->nodes)
    if (each.kind != OpKind::constant) follow(each, constant_, from_quantised_);
}

const ProgramNode* ProgramView::dequantiser(std::size_t id) const {
  const ProgramNode* made_by = maker(id);
  return made_by != nullptr && made_by->role == QuantisedRole::dequantise ? made_by : nullptr;
}

bool ProgramView::comes_from_quantised(std::size_t id) const {
  return id != none && from_quantised_[id];
}

std::string ProgramView::spoken(const ProgramNode& node) const {
  if (!node.name.empty()) return '`' + node.name + '`';
  for (const std::size_t output : node.outputs)
    if (!value(output).name.empty()) return "the node that makes `" + value(output).name + '`';
  return '`' + std::string(operator_of(node)) + '`';
}

Diagnostic ProgramView::finding_of(const ProgramNode& node, const Diagnostics& diagnostics,
                                   std::string message) const {
  return model_validator::finding_of(graph_, node.op, diagnostics, std::move(message));
}

std::string_view operator_of(const ProgramNode& node) { return bare_operator(node.schema); }

std::size_t scale_count(const Quantisation& quantisation) {
  if (quantisation.scale.values) return quantisation.scale.values->size();
  if (!quantisation.scale.type.shape) return 0;
  std::size_t count = 1;
  for (const std::int64_t size : *quantisation.scale.type.shape) {
    if (size < 0) return 0;
    count *= static_cast<std::size_t>(size);
  }
  return count;
}

std::optional<double> scale_of(const Quantisation& quantisation, std::size_t channel) {
  const auto& scales = quantisation.scale.values;
  if (!scales || scales->empty()) return std::nullopt;
  if (scales->size() == 1) return scales->front();
  return channel < scales->size() ? std::optional((*scales)[channel]) : std::nullopt;
}

} // namespace model_validator
