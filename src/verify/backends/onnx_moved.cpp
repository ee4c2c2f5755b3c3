#include "verify/backends/onnx_moved.h"

#include "verify/backends/onnx_copy.h"
#include "verify/run/exact_numbers.h"

#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>

namespace model_validator::verify {
namespace {

constexpr double moved_roundings = 4;

class OnnxMover {
public:
  explicit OnnxMover(std::uint64_t seed) : random_(seed) {}

  void move(onnx::GraphProto& graph) {
    for (const auto& node : graph.node()) note_exact(node);
    for (auto& tensor : *graph.mutable_initializer()) move(tensor, tensor.name());
    for (auto& node : *graph.mutable_node())
      for (auto& attribute : *node.mutable_attribute()) {
        const std::string name = node.output().empty() ? "" : node.output(0);
        if (node.op_type() == "Constant" && attribute.has_t()) move(*attribute.mutable_t(), name);
        if (attribute.has_g()) move(*attribute.mutable_g());
      }
  }

private:
  /// An exponent of 2 is not about 2, and sizes are what they are.
  void note_exact(const onnx::NodeProto& node) {
    static const std::set<std::string> exact_operands{"Pow", "Resize", "Upsample", "Range"};
    if (exact_operands.count(node.op_type()) == 0) return;
    for (int i = node.op_type() == "Range" ? 0 : 1; i < node.input_size(); ++i)
      exact_.insert(node.input(i));
  }

  void move(onnx::TensorProto& tensor, const std::string& name) {
    if (exact_.count(name) != 0) return;
    if (tensor.data_type() == onnx::TensorProto::FLOAT) {
      move_bytes<float>(*tensor.mutable_raw_data());
      for (float& value : *tensor.mutable_float_data()) value = moved(value);
    } else if (tensor.data_type() == onnx::TensorProto::DOUBLE) {
      move_bytes<double>(*tensor.mutable_raw_data());
      for (double& value : *tensor.mutable_double_data()) value = moved(value);
    }
  }

  template <class Real> void move_bytes(std::string& bytes) {
    change_each<Real>(bytes, [&](Real value) { return moved(value); });
  }

  template <class Real> Real moved(Real value) {
    constexpr Real step = static_cast<Real>(moved_roundings) * std::numeric_limits<Real>::epsilon();
    constexpr Real factors[] = {1 - step, 1 + step};
    if (!std::isfinite(value) || is_exact(value)) return value;
    const Real other = value * factors[random_bit()];
    return std::isfinite(other) ? other : value;
  }

  std::size_t random_bit() {
    if (bits_left_ == 0) {
      bits_ = random_();
      bits_left_ = std::mt19937_64::word_size;
    }
    return (bits_ >> --bits_left_) & 1U;
  }

  std::mt19937_64 random_;
  std::uint64_t bits_ = 0;
  std::size_t bits_left_ = 0;   ///< that were not handed out yet
  std::set<std::string> exact_; ///< names of values
};

} // namespace

SharedOnnxModel moved_onnx(const SharedOnnxModel& model, const std::filesystem::path& folder,
                           std::uint64_t seed) {
  const auto stored = model->proto();
  if (has_external_weights(*stored)) return model;
  onnx::ModelProto copy = *stored;
  OnnxMover(seed).move(*copy.mutable_graph());
  return std::make_shared<OnnxModel>(std::move(copy), folder);
}

} // namespace model_validator::verify
