#include "verify/backends/onnx_conditions.h"

#include <algorithm>
#include <map>
#include <onnx-ml.pb.h>
#include <set>

namespace model_validator::verify {
namespace {

using Makers = std::map<std::string, const onnx::NodeProto*>;

std::string name_of(const onnx::NodeProto& node) {
  return node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name();
}

bool joins_truths(const std::string& type) {
  return type == "And" || type == "Or" || type == "Not" || type == "Xor";
}

/// What a node decides by. Of truths that it joins, each with the node that makes it.
std::vector<OnnxCondition> conditions_of(const onnx::NodeProto& node, const Makers& makers) {
  std::vector<OnnxCondition> conditions;
  const bool joins = joins_truths(node.op_type());
  if (!joins && node.op_type() != "If" && node.op_type() != "Where") return conditions;
  for (int i = 0; i < (joins ? node.input_size() : std::min(node.input_size(), 1)); ++i) {
    const auto made = makers.find(node.input(i));
    if (made == makers.end()) continue;
    const onnx::NodeProto& by = joins ? *made->second : node;
    if (!joins || !joins_truths(by.op_type()))
      conditions.push_back({node.input(i), by.op_type(), name_of(by)});
  }
  return conditions;
}

} // namespace

std::vector<OnnxCondition> conditions_of_onnx(const OnnxModel& model) {
  const auto proto = model.nodes();
  std::vector<OnnxCondition> conditions;
  std::set<std::string> outputs;
  Makers makers;
  for (const auto& output : proto->graph().output()) outputs.insert(output.name());
  for (const auto& node : proto->graph().node()) {
    for (OnnxCondition& condition : conditions_of(node, makers))
      if (!outputs.contains(condition.value)) conditions.push_back(std::move(condition));
    if (node.op_type() == "Constant") continue;
    for (const auto& output : node.output()) makers.emplace(output, &node);
  }
  return conditions;
}

} // namespace model_validator::verify
