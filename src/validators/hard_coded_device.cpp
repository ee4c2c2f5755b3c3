#include "connected_graph/attributes.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/suggestions/operators.h"

namespace model_validator {
namespace {

constexpr RuleInfo rule = {"hard-coded-device", "TGT003",
                           "the model names a device other than the CPU", Severity::warning, true};

/// The device other than the CPU that one of its operators is given; empty where none is.
std::string device_of(const Op& op) {
  for (const Operator& each : operators_of(op)) {
    const auto* device = find_attribute<std::string>(each.attributes, "device");
    if (device && !device->empty() && !device->starts_with("cpu") && !device->starts_with("meta"))
      return *device;
  }
  return {};
}

/// Devices written into the model.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {

  for (OpId id = 0; id < graph.op_count(); ++id) {
    const std::string device = device_of(graph.op(id));
    if (device.empty()) continue;
    diagnostics.add_with_change(
        finding_of(graph, id, diagnostics,
                   "`" + graph.op(id).type + "` is set to run on `" + device + '`'),
        "take the device of an existing tensor, `device=x.device`, or export the "
        "model from the CPU");
  }
}

} // namespace

const Check checks::hard_coded_device(rule, run);

} // namespace model_validator
