#include "connected_graph/op_type.h"
#include "rules/judging/planned_size.h"
#include "rules/judging/quantised_values.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>
#include <model_validator/node_flow.h>
#include <model_validator/quantise_plan.h>

#include <algorithm>
#include <charconv>

namespace model_validator {
namespace {

using Fate = PlannedNode::State;

/// The number after `:g`; 0 if there is none.
int group_in(std::string_view name) {
  const auto at = name.find(":g");
  int group = 0;
  if (at == std::string_view::npos) return 0;
  const auto [end, error] = std::from_chars(name.data() + at + 2, name.data() + name.size(), group);
  return error == std::errc{} && end == name.data() + name.size() ? group : 0;
}

std::string names_of(const QuantiserRules& rules) {
  std::string names;
  for (const QuantisationScheme& scheme : rules.schemes)
    names += (names.empty() ? "" : ", ") + scheme.name + (scheme.grouped ? ":g128" : "");
  return names;
}

PlannedNode described(const FlowNode& node, const NodeFlow& flow) {
  PlannedNode planned;
  planned.name = node.name;
  if (planned.name.empty() && !node.outputs.empty() && node.outputs[0] != none)
    planned.name = flow.values[node.outputs[0]].name;
  planned.type = bare_operator(node.schema);
  planned.op = node.op;
  return planned;
}

/// Weights alone, or every constant: no value between the nodes decides anything.
void judge_by_weights(const FlowNode& node, const NodeFlow& flow, const QuantisationScheme& scheme,
                      PlannedNode& planned) {
  if (scheme.everything) {
    planned.known = true;
    planned.state = contains(scheme.except, planned.type) ? Fate::stays : Fate::quantised;
    if (planned.state == Fate::stays) planned.reason = "it is left in float32";
    return;
  }
  planned.known = contains(scheme.operators, planned.type);
  planned.reason = planned.known ? rules::why_weight_stays(node, flow, scheme)
                                 : "no operator whose weights it quantises";
  planned.state = planned.reason.empty() ? Fate::quantised : Fate::stays;
}

} // namespace

const char* to_string(PlannedNode::State state) {
  switch (state) {
  case Fate::quantised: return "quantised";
  case Fate::partly: return "partly";
  case Fate::removed: return "removed";
  case Fate::stays: break;
  }
  return "float";
}

QuantisationScheme find_scheme(const TargetProfile& target, std::string_view name) {
  if (!target.quantiser || target.quantiser->schemes.empty())
    throw Error(ErrorKind::usage, "", "target `" + target.name + "` is no quantiser",
                "`model_validator targets` lists the targets");
  const std::string_view bare = name.substr(0, name.find(':'));
  for (const QuantisationScheme& scheme : target.quantiser->schemes) {
    const int group = group_in(name);
    if (scheme.name != bare || scheme.grouped != (group > 0) ||
        (bare.size() != name.size() && group <= 0))
      continue;
    QuantisationScheme found = scheme;
    found.group = group;
    return found;
  }
  throw Error(ErrorKind::usage, "",
              "target `" + target.name + "` has no scheme `" + std::string(name) + "`",
              "it has " + names_of(*target.quantiser));
}

QuantisePlan plan_quantisation(const ConnectedGraph& graph, const TargetProfile& target,
                               const QuantisationScheme& scheme) {
  if (!graph.flow)
    throw Error(ErrorKind::usage, graph.origin.path,
                "the nodes of this format are not known one by one",
                "export the model to ONNX or with torch.export");
  const NodeFlow& flow = *graph.flow;
  QuantisePlan plan;
  plan.target = target.name;
  plan.scheme = scheme.name + (scheme.grouped ? ":g" + std::to_string(scheme.group) : "");
  plan.quantised = flow.quantised;
  rules::QuantisedValues values(graph, *target.quantiser);
  rules::PlannedSize size(flow, scheme);
  const bool by_weights = scheme.weights_only || scheme.everything;
  if (!by_weights) values.visit_all();
  for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
    const FlowNode& node = flow.nodes[i];
    if (node.op == none || !rules::handles_tensors(graph, node)) continue;
    PlannedNode planned = described(node, flow);
    if (by_weights)
      judge_by_weights(node, flow, scheme, planned);
    else
      values.judge(i, planned);
    if (planned.state == Fate::quantised || planned.state == Fate::partly)
      size.take(node, by_weights ? nullptr : values.row_of(i));
    plan.nodes.push_back(std::move(planned));
  }
  if (std::none_of(plan.nodes.begin(), plan.nodes.end(),
                   [](const PlannedNode& node) { return node.known; }))
    throw Error(ErrorKind::usage, graph.origin.path,
                "target `" + target.name + "` knows no operator of this file",
                graph.origin.format == FileFormat::onnx
                    ? "its operators are those of PyTorch: try `--target onnxruntime-quantize`"
                    : "its operators are those of ONNX: try `--target xnnpack-quantize`");
  plan.float_bytes = size.before();
  plan.planned_bytes = size.after();
  return plan;
}

} // namespace model_validator
