#include "validators/program_view.h"

#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"
#include "connected_graph/program_of.h"
#include "connected_graph/quantised_role.h"
#include "validators/op_finding.h"

#include <algorithm>

namespace model_validator {
namespace {

/// Whether it hands its operands on, or chooses among them, without computing.
bool passes_on(const ProgramNode& node) {
  return does(operator_of(node), moves | Does::drops_out | Does::bounds | Does::interpolates);
}

bool has_quantised_op(const ConnectedGraph& graph) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (is_quantised(graph.op(id))) return true;
  return false;
}

/// What is not quantised is not looked at.
std::shared_ptr<const Program> quantised_program(const ConnectedGraph& graph) {
  static const auto nothing = std::make_shared<const Program>();
  return graph.program || has_quantised_op(graph) ? program_of(graph) : nothing;
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

ProgramView::ProgramView(const ConnectedGraph& graph)
    : graph_(graph), program_(quantised_program(graph)) {
  if (!program_->quantised) return;
  const std::size_t count = program_->values.size();
  readers_ = readers_of(*program_);
  constant_.assign(count, false);
  from_quantised_.assign(count, false);
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
