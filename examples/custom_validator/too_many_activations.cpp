#include "too_many_activations.h"

#include <set>

using namespace model_validator;

namespace {

constexpr RuleInfo rule = {"too-many-activations", "OWN001",
                           "the model uses more kinds of activation than the chip has tables for",
                           Severity::error, true};

constexpr std::size_t tables_on_the_chip = 2;

bool is_activation(const Op& op) {
  static const std::set<std::string> types = {"relu", "gelu", "silu", "sigmoid", "tanh", "elu"};
  return types.count(op.type) != 0;
}

} // namespace

const RuleInfo& TooManyActivations::info() const { return rule; }

void TooManyActivations::run(const ConnectedGraph& graph, const Context& /*context*/,
                             Diagnostics& diagnostics) const {
  std::set<std::string> seen;
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    if (!is_activation(op) || !seen.insert(op.type).second) continue;
    if (seen.size() <= tables_on_the_chip) continue;
    Diagnostic finding = diagnostics.start("`" + op.type + "` is activation kind number " +
                                           std::to_string(seen.size()));
    finding.module = graph.module_path(op.module);
    finding.parent = graph.module_path(op.parent);
    finding.op = OpReference{op.name, op.type};
    finding.locations.push_back({graph.location(op.frame), finding.parent, "call", ""});
    finding.help = "use one of the first " + std::to_string(tables_on_the_chip) + " kinds";
    diagnostics.add(std::move(finding));
  }
}
