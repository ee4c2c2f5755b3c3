#include "verify/backends/onnx_conditions.h"

#include "verify/backends/onnx_copy.h"

#include <set>

namespace model_validator::verify {

std::vector<OnnxCondition> conditions_of_onnx(const std::filesystem::path& file) {
  const onnx::ModelProto model = read_onnx(file);
  std::vector<OnnxCondition> conditions;
  std::set<std::string> computed, outputs;
  for (const auto& output : model.graph().output()) outputs.insert(output.name());
  for (const auto& node : model.graph().node()) {
    const bool decides = node.op_type() == "If" || node.op_type() == "Where";
    if (decides && node.input_size() > 0 && computed.contains(node.input(0)) &&
        !outputs.contains(node.input(0)))
      conditions.push_back(
          {node.input(0), node.op_type(),
           node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name()});
    if (node.op_type() == "Constant") continue;
    for (const auto& output : node.output()) computed.insert(output);
  }
  return conditions;
}

} // namespace model_validator::verify
