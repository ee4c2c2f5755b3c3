#include "rules/judging/kernels.h"

#include "rules/judging/node_schema.h"

#include <algorithm>
#include <map>

namespace model_validator::rules {
namespace {

/// The dtype of each type variable of a node, empty where it is not known. A variable that stands
/// for several dtypes has no single one: it is left out.
using Bound = std::map<std::string, std::string, std::less<>>;

void bind(const std::vector<OperatorVersion::Parameter>& parameters,
          const std::vector<FileOperand>& operands, Bound& bound) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const OperatorVersion::Parameter* formal = parameter_of(parameters, i);
    if (formal == nullptr || !operands[i].given || !formal->homogeneous) continue;
    std::string& dtype = bound[formal->type];
    if (dtype.empty()) dtype = operands[i].dtype;
  }
}

Bound bound_of(const OperatorVersion& version, const FileNode& node) {
  Bound bound;
  bind(version.inputs, node.inputs, bound);
  bind(version.outputs, node.outputs, bound);
  return bound;
}

bool lists(const std::vector<std::string>& dtypes, const std::string& dtype) {
  return std::find(dtypes.begin(), dtypes.end(), dtype) != dtypes.end();
}

/// Whether a combination of dtypes may be the node's, as far as its dtypes are known; and whether
/// it surely covers those that are not.
struct Fit {
  bool possible = true;
  bool certain = true;
};

Fit fit(const DtypesOfVariables& taken, const DtypesOfVariables& allowed, const Bound& bound) {
  Fit fit;
  for (const auto& [variable, dtypes] : taken) {
    const auto given = bound.find(variable);
    if (given == bound.end()) continue;
    if (!given->second.empty()) {
      if (!lists(*dtypes, given->second)) return {false, false};
    } else if (const auto all = allowed.find(variable);
               all != allowed.end() && all->second->size() > dtypes->size()) {
      fit.certain = false;
    }
  }
  return fit;
}

Kernel kernel_for(const OperatorVersion& version, const Bound& bound) {
  bool possible = false;
  for (const DtypesOfVariables& each : version.taken) {
    const Fit found = fit(each, version.allowed, bound);
    if (found.certain) return Kernel::found;
    possible = possible || found.possible;
  }
  return possible ? Kernel::depends : Kernel::missing;
}

} // namespace

Kernel run_by_kernel(const OperatorVersion& version, const FileNode& node,
                     const std::vector<std::string>& cast) {
  if (version.takes_all) return Kernel::found;
  Bound bound = bound_of(version, node);
  const Kernel direct = kernel_for(version, bound);
  if (direct == Kernel::found) return direct;
  for (auto& [variable, dtype] : bound)
    if (lists(cast, dtype)) dtype = "float32";
  return std::min(direct, kernel_for(version, bound), [](Kernel a, Kernel b) {
    return (a == Kernel::found && b != a) || (a == Kernel::depends && b == Kernel::missing);
  });
}

} // namespace model_validator::rules
