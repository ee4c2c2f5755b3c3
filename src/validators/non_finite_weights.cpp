#include "validators/checks.h"
#include "validators/op_finding.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "non-finite-weights",
                        .code = "NUM002",
                        .summary = "weights that are NaN or infinite",
                        .severity = Severity::warning,
                        .on_by_default = false,
                        .needs = Need::weights,
                        .about_code = false};

/// Operands of these may be infinite on purpose: a mask, a limit.
constexpr std::array masking = std::to_array<std::string_view>(
    {"add", "cat", "clamp", "clip", "concat", "constant", "expand", "identity", "masked_fill",
     "max", "maximum", "min", "minimum", "select", "slice", "sub", "where"});

bool is_masking(const Op& op) { return op.kind != OpKind::module && contains(masking, op.type); }

/// What is known of the tensors that the graph has, by the names that the file gives them.
class Tensors {
public:
  explicit Tensors(const ConnectedGraph& graph)
      : graph_(graph), owners_(owners_of_parameters(graph)), users_(graph.parameters().size()) {
    for (ParameterId id = 0; id < graph.parameters().size(); ++id)
      by_path_.emplace(graph.parameters()[id].path, id);
    for (OpId op = 0; op < graph.op_count(); ++op)
      for (const ParameterId parameter : graph.op(op).parameters) users_[parameter].push_back(op);
  }

  /// The parameter or buffer that one of the names is; `none` for a constant.
  ParameterId find(const std::vector<std::string>& names) const {
    for (const std::string& name : names)
      if (const auto found = by_path_.find(name); found != by_path_.end()) return found->second;
    return none;
  }
  ModuleId owner(ParameterId id) const { return id == none ? none : owners_[id]; }

  /// Infinities in buffers and constants, and in tensors that are only added or selected, are
  /// masks.
  bool may_be_infinite(ParameterId id) const {
    if (id == none || graph_.parameters()[id].buffer) return true;
    const auto& users = users_[id];
    return !users.empty() &&
           std::ranges::all_of(users, [this](OpId op) { return is_masking(graph_.op(op)); });
  }

private:
  const ConnectedGraph& graph_;
  std::vector<ModuleId> owners_;
  std::vector<std::vector<OpId>> users_;
  std::map<std::string, ParameterId, std::less<>> by_path_;
};

std::string title_of(const ConnectedGraph& graph, ParameterId id, const NonFiniteTensor& tensor) {
  if (id == none) return "constant `" + tensor.names.front() + '`';
  const Parameter& parameter = graph.parameters()[id];
  return (parameter.buffer ? "buffer `" : "parameter `") + parameter.path + '`';
}

std::string counts_of(const NonFiniteTensor& tensor) {
  std::string counts = tensor.nan > 0 ? std::to_string(tensor.nan) + " NaN" : "";
  if (tensor.infinite > 0)
    counts += (counts.empty() ? "" : " and ") + std::to_string(tensor.infinite) + " infinite";
  return counts + " of " + std::to_string(tensor.numbers) + " numbers";
}

Diagnostic finding_of_tensor(const ConnectedGraph& graph, const Tensors& tensors, ParameterId id,
                             const NonFiniteTensor& tensor, const Diagnostics& diagnostics) {
  const std::string title = title_of(graph, id, tensor);
  Diagnostic finding = finding_of_module(graph, tensors.owner(id), diagnostics,
                                         title + " holds " + counts_of(tensor));
  finding.notes.push_back("its dtype is " + tensor.dtype);
  finding.help = "find the first checkpoint in which it is not finite, and export an earlier one; "
                 "if it was converted, check whether its values fit into " +
                 tensor.dtype;
  return finding;
}

/// A check that was requested and could not be made is reported, not skipped.
void add_unchecked(const std::string& what, const std::string& why, Diagnostics& diagnostics) {
  diagnostics.add(diagnostics.start(what + " cannot be checked: " + why));
}

/// Weights that are NaN or infinite. Reads the weights.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  if (!context.scan_weights)
    return add_unchecked("the weights", "the model was not read from a file", diagnostics);
  WeightScan scan;
  try {
    scan = context.scan_weights();
  } catch (const Error& error) {
    return add_unchecked("the weights", error.what(), diagnostics);
  }
  const Tensors tensors(graph);
  for (const NonFiniteTensor& tensor : scan.non_finite) {
    const ParameterId id = tensors.find(tensor.names);
    if (tensor.nan > 0 || !tensors.may_be_infinite(id))
      diagnostics.add(finding_of_tensor(graph, tensors, id, tensor, diagnostics));
  }
  for (const std::string& name : scan.unread)
    add_unchecked('`' + name + '`', "the file keeps it in a form that is not read", diagnostics);
}

} // namespace

const Check checks::non_finite_weights(rule, run);

} // namespace model_validator
