#include "verify/backends/folded_norms.h"

#include "verify/backends/onnx_stored.h"

#include <cmath>

namespace model_validator::verify {
namespace {

std::map<std::string, int> counts_of_readers(const onnx::GraphProto& graph) {
  std::map<std::string, int> counts;
  for (const auto& node : graph.node())
    for (const auto& input : node.input()) ++counts[input];
  for (const auto& output : graph.output()) ++counts[output.name()];
  return counts;
}

float epsilon_of(const onnx::NodeProto& norm) {
  for (const auto& attribute : norm.attribute())
    if (attribute.name() == "epsilon") return attribute.f();
  return 1e-5F; // of ONNX's BatchNormalization
}

/// scale / sqrt(variance + epsilon); none where something is not stored, or makes no number.
std::vector<float> scales_of(const onnx::NodeProto& norm, const StoredNumbers& stored) {
  constexpr int scale = 1, variance = 4;
  if (norm.input_size() <= variance) return {};
  auto scales = stored.floats(norm.input(scale));
  const auto variances = stored.floats(norm.input(variance));
  if (scales.size() != variances.size()) return {};
  for (std::size_t i = 0; i < scales.size(); ++i) {
    scales[i] /= std::sqrt(variances[i] + epsilon_of(norm));
    if (!std::isnormal(scales[i])) return {};
  }
  return scales;
}

} // namespace

std::map<std::string, std::vector<float>> folded_norms(const onnx::GraphProto& graph) {
  const StoredNumbers stored(graph);
  const auto readers = counts_of_readers(graph);
  std::map<std::string, const onnx::NodeProto*> convolutions; // by result
  for (const auto& node : graph.node())
    if (node.op_type() == "Conv" && node.input_size() > 1 && node.output_size() == 1)
      convolutions[node.output(0)] = &node;
  std::map<std::string, std::vector<float>> folded;
  for (const auto& node : graph.node()) {
    if (node.op_type() != "BatchNormalization" || node.input_size() == 0) continue;
    const auto found = convolutions.find(node.input(0));
    if (found == convolutions.end() || readers.at(found->first) != 1) continue;
    const std::string& weight = found->second->input(1);
    if (readers.at(weight) != 1) continue;
    if (auto scales = scales_of(node, stored); !scales.empty()) folded[weight] = std::move(scales);
  }
  return folded;
}

} // namespace model_validator::verify
