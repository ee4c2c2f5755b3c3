#include "validators/checks.h"
#include "validators/op_finding.h"

#include <algorithm>
#include <map>
#include <utility>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "shared-parameters",
                        .code = "GRA004",
                        .summary = "several parameters share one storage",
                        .severity = Severity::info,
                        .on_by_default = false,
                        .needs = Need::modules};

using Group = std::vector<ParameterId>;

/// Parameters of one storage and one shape, in the order of the file. Views that differ in shape
/// may be parts of one buffer, which is not tying.
std::vector<Group> tied_parameters(const ConnectedGraph& graph) {
  std::map<std::pair<std::uint64_t, std::vector<std::int64_t>>, Group> groups;
  for (ParameterId id = 0; id < graph.parameters().size(); ++id) {
    const Parameter& parameter = graph.parameters()[id];
    if (parameter.storage != 0 && !parameter.buffer && parameter.type.shape)
      groups[{parameter.storage, *parameter.type.shape}].push_back(id);
  }
  std::vector<Group> tied;
  for (auto& [key, group] : groups)
    if (group.size() > 1) tied.push_back(std::move(group));
  std::ranges::sort(tied);
  return tied;
}

/// Parameters of different modules that share one storage: tied weights.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  const auto owners = owners_of_parameters(graph);
  for (const Group& group : tied_parameters(graph)) {
    const std::string& first = graph.parameters().at(group.front()).path;
    std::string others;
    for (auto id = group.begin() + 1; id != group.end(); ++id)
      others += (others.empty() ? "`" : ", `") + graph.parameters().at(*id).path + '`';
    diagnostics.add_with_change(
        finding_of_module(graph, owners.at(group.front()), diagnostics,
                          "parameter `" + first + "` shares its storage with " + others),
        "if they are not meant to be tied, give one its own copy: "
        "`nn.Parameter(weight.detach().clone())`");
  }
}

} // namespace

const Check checks::shared_parameters(rule, run);

} // namespace model_validator
