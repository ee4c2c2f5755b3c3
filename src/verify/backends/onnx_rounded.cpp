#include "verify/backends/onnx_rounded.h"

#include "verify/backends/onnx_copy.h"

#include <model_validator/error.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace model_validator::verify {
namespace {

constexpr float steps = 127;

/// Where the output channels of each tensor are that is a layer's weight.
using ChannelAxes = std::map<std::string, int>;

bool turns_weight(const onnx::NodeProto& node) {
  return std::any_of(node.attribute().begin(), node.attribute().end(), [](const auto& attribute) {
    return attribute.name() == "transB" && attribute.i() != 0;
  });
}

void note_weights(const onnx::GraphProto& graph, ChannelAxes& axes) {
  constexpr int last = -1;
  for (const auto& node : graph.node()) {
    const std::string& type = node.op_type();
    if (node.input_size() > 1) {
      if (type == "Conv" || (type == "Gemm" && turns_weight(node))) axes[node.input(1)] = 0;
      if (type == "ConvTranspose") axes[node.input(1)] = 1;
      if (type == "MatMul" || (type == "Gemm" && !turns_weight(node))) axes[node.input(1)] = last;
    }
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) note_weights(attribute.g(), axes);
  }
}

/// The channel of a number: its place, divided by `inner`, modulo `count`.
struct Place {
  std::size_t inner = 1, count = 1;
};

Place place_of(const onnx::TensorProto& tensor, int axis) {
  Place place;
  const int at = axis < 0 ? tensor.dims_size() - 1 : axis;
  place.count = static_cast<std::size_t>(tensor.dims(at));
  for (int i = at + 1; i < tensor.dims_size(); ++i)
    place.inner *= static_cast<std::size_t>(tensor.dims(i));
  return place;
}

void round_numbers(std::vector<float>& numbers, const Place& place) {
  std::vector<float> scales(place.count);
  const auto scale_at = [&](std::size_t i) -> float& {
    return scales[i / place.inner % place.count];
  };
  for (std::size_t i = 0; i < numbers.size(); ++i)
    scale_at(i) = std::max(scale_at(i), std::abs(numbers[i]) / steps);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (const float scale = scale_at(i); scale > 0)
      numbers[i] = std::nearbyint(numbers[i] / scale) * scale;
}

void round_tensor(onnx::TensorProto& tensor, const Place& place) {
  std::string& bytes = *tensor.mutable_raw_data();
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(float));
  if (numbers.empty()) numbers.assign(tensor.float_data().begin(), tensor.float_data().end());
  round_numbers(numbers, place);
  bytes.assign(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
  tensor.clear_float_data();
}

void round_graph(onnx::GraphProto& graph, const ChannelAxes& axes, bool per_channel) {
  for (auto& tensor : *graph.mutable_initializer()) {
    const auto found = axes.find(tensor.name());
    if (found == axes.end() || tensor.data_type() != onnx::TensorProto::FLOAT ||
        tensor.dims_size() < 2)
      continue;
    round_tensor(tensor, per_channel ? place_of(tensor, found->second) : Place{});
  }
  for (auto& node : *graph.mutable_node())
    for (auto& attribute : *node.mutable_attribute())
      if (attribute.has_g()) round_graph(*attribute.mutable_g(), axes, per_channel);
}

} // namespace

std::filesystem::path write_rounded_onnx(const std::filesystem::path& model,
                                         const std::filesystem::path& folder, bool per_channel) {
  auto proto = read_whole_onnx(model);
  if (!proto)
    throw Error(ErrorKind::backend_refused, model.string(), "its weights lie in other files");
  ChannelAxes axes;
  note_weights(proto->graph(), axes);
  round_graph(*proto->mutable_graph(), axes, per_channel);
  const auto rounded = folder / "rounded.onnx";
  write_onnx_copy(*proto, rounded);
  return rounded;
}

} // namespace model_validator::verify
