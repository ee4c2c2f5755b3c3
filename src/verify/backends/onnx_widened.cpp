#include "verify/backends/onnx_widened.h"

#include "verify/backends/onnx_copy.h"
#include "verify/backends/onnx_stored.h"

#include <cmath>
#include <map>
#include <optional>

namespace model_validator::verify {
namespace {

bool is_half(std::int64_t type) {
  return type == onnx::TensorProto::FLOAT16 || type == onnx::TensorProto::BFLOAT16;
}

bool all_round_to(const std::vector<float>& own, const FewBitWeight& weight) {
  if (own.size() != weight.numbers.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] != weight.numbers[i] && // infinities are equal
        !(std::fabs(own[i] - weight.numbers[i]) <= weight.steps[i]))
      return false;
  return true;
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
    auto weight = weight_of(tensor);
    if (!weight) return;
    weight->name = name;
    if (const auto reader = readers_.find(name); reader != readers_.end())
      weight->layer = reader->second;
    const std::vector<float> own = own_of(*weight);
    tensor.clear_int32_data();
    store(own.size() == weight->numbers.size() ? own : weight->numbers, tensor);
  }

  std::vector<float> own_of(const FewBitWeight& weight) const {
    if (reference_)
      if (auto own = reference_->floats(weight.name); all_round_to(own, weight)) return own;
    return find_own_(weight);
  }

  const FindOwnWeight& find_own_;
  std::optional<StoredNumbers> reference_;
  std::map<std::string, std::string> readers_; ///< the first node that reads each value
};

} // namespace

void widen_halves(onnx::GraphProto& graph, const onnx::GraphProto* reference,
                  const FindOwnWeight& find_own) {
  Widener(reference, find_own).widen(graph);
}

} // namespace model_validator::verify
