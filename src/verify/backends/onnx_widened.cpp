#include "verify/backends/onnx_widened.h"

#include "verify/backends/onnx_copy.h"
#include "verify/backends/onnx_stored.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>

namespace model_validator::verify {
namespace {

bool is_half(std::int64_t type) {
  return type == onnx::TensorProto::FLOAT16 || type == onnx::TensorProto::BFLOAT16;
}

/// All numbers that there are in sixteen bits, in the order of these.
FewBitWeight every_half(int type) {
  constexpr std::size_t count = 1 << 16;
  std::vector<std::uint16_t> codes(count);
  std::iota(codes.begin(), codes.end(), std::uint16_t{0});
  onnx::TensorProto tensor;
  tensor.set_data_type(type);
  tensor.add_dims(count);
  tensor.set_raw_data(codes.data(), count * sizeof codes[0]);
  return weight_of(tensor).value();
}

class Widener {
public:
  Widener(const onnx::GraphProto* reference, const FindOwnWeight& find_own) : find_own_(find_own) {
    if (reference != nullptr) reference_.emplace(*reference);
  }

  void widen(onnx::GraphProto& graph) {
    for (const auto& node : graph.node())
      for (const auto& input : node.input()) readers_.emplace(input, node.name());
    for (auto* values : {graph.mutable_input(), graph.mutable_output()})
      for (auto& value : *values) {
        auto& type = *value.mutable_type()->mutable_tensor_type();
        if (is_half(type.elem_type())) type.set_elem_type(onnx::TensorProto::FLOAT);
      }
    graph.clear_value_info(); // types that change
    for (auto& tensor : *graph.mutable_initializer()) widen(tensor, tensor.name());
    for (auto& node : *graph.mutable_node())
      for (auto& attribute : *node.mutable_attribute()) widen(attribute, node);
  }

private:
  void widen(onnx::AttributeProto& attribute, const onnx::NodeProto& node) {
    const bool is_dtype = attribute.name() == "to" || attribute.name() == "dtype";
    if (is_dtype && is_half(attribute.i())) attribute.set_i(onnx::TensorProto::FLOAT);
    if (attribute.has_t())
      widen(*attribute.mutable_t(), node.output_size() > 0 ? node.output(0) : "");
    if (attribute.has_g()) widen(*attribute.mutable_g());
  }

  void widen(onnx::TensorProto& tensor, const std::string& name) {
    if (!is_half(tensor.data_type())) return;
    const auto own = reference_ ? reference_->floats(name) : std::vector<float>();
    if (all_round_to(own, tensor)) return replace(tensor, own);
    auto weight = weight_of(tensor);
    if (!weight) return;
    weight->name = name;
    if (const auto reader = readers_.find(name); reader != readers_.end())
      weight->layer = reader->second;
    const std::vector<float> found = find_own_(*weight);
    replace(tensor, found.size() == weight->numbers.size() ? found : weight->numbers);
  }

  static void replace(onnx::TensorProto& halves, const std::vector<float>& numbers) {
    halves.clear_int32_data();
    store(numbers, halves);
  }

  bool all_round_to(const std::vector<float>& own, const onnx::TensorProto& halves) {
    const std::string codes = bytes_of(halves, sizeof(std::uint16_t));
    if (own.empty() || codes.size() != own.size() * sizeof(std::uint16_t)) return false;
    const int type = halves.data_type();
    const auto known = every_half_.try_emplace(type).first;
    if (known->second.numbers.empty()) known->second = every_half(type);
    const FewBitWeight& every = known->second;
    for (std::size_t i = 0; i < own.size(); ++i) {
      std::uint16_t code = 0;
      std::memcpy(&code, codes.data() + i * sizeof code, sizeof code);
      if (own[i] != every.numbers[code] && // infinities are equal
          !(std::fabs(own[i] - every.numbers[code]) <= every.steps[code]))
        return false;
    }
    return true;
  }

  const FindOwnWeight& find_own_;
  std::optional<StoredNumbers> reference_;
  std::map<std::string, std::string> readers_; ///< the first node that reads each value
  std::map<int, FewBitWeight> every_half_;     ///< by dtype
};

} // namespace

void widen_halves(onnx::GraphProto& graph, const onnx::GraphProto* reference,
                  const FindOwnWeight& find_own) {
  Widener(reference, find_own).widen(graph);
}

} // namespace model_validator::verify
