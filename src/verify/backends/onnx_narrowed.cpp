#include "verify/backends/onnx_narrowed.h"

#include "verify/backends/folded_norms.h"
#include "verify/backends/onnx_copy.h"
#include "verify/backends/onnx_stored.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace model_validator::verify {
namespace {

using Results = Narrowing::Results;
using Weights = Narrowing::Weights;

/// Where the rows of each tensor are that is a layer's weight: the axis of its output channels.
using ChannelAxes = std::map<std::string, int>;
constexpr int last = -1;

bool is_layer(const onnx::NodeProto& node) {
  const std::string& type = node.op_type();
  return type == "Conv" || type == "Gemm" || type == "MatMul" || type == "ConvTranspose";
}

void note_weights(const onnx::GraphProto& graph, ChannelAxes& axes) {
  for (const auto& node : graph.node()) {
    if (is_layer(node) && node.input_size() > 1) {
      const std::string& type = node.op_type();
      axes[node.input(1)] =
          type == "ConvTranspose"                                                      ? 1
          : type == "Conv" || (type == "Gemm" && attribute_of(node, "transB", 0) != 0) ? 0
                                                                                       : last;
    }
    for (const auto& attribute : node.attribute())
      if (attribute.has_g()) note_weights(attribute.g(), axes);
  }
}

/// To the nearest number with so many bits of mantissa, no larger than `largest`.
inline float rounded_to(float number, int mantissa_bits, float largest) {
  const int dropped = std::numeric_limits<float>::digits - 1 - mantissa_bits;
  auto bits = std::bit_cast<std::uint32_t>(number);
  bits += (1U << (dropped - 1)) - 1 + (bits >> dropped & 1U); // from the middle, to even
  bits &= ~0U << dropped;
  const float rounded = std::clamp(std::bit_cast<float>(bits), -largest, largest);
  return std::isfinite(number) ? rounded : number;
}

class OnnxNarrower {
public:
  OnnxNarrower(const Narrowing& how, const std::set<std::string>& float_values,
               const SteppedNames& in_eight_bits, std::uint64_t seed)
      : how_(how), float_values_(float_values), in_eight_bits_(in_eight_bits), seed_(seed),
        random_(seed) {}

  void narrow(onnx::GraphProto& graph) {
    ChannelAxes axes;
    note_weights(graph, axes);
    if (how_.has_scales() && !how_.per_channel) folded_ = folded_norms(graph);
    for (const auto& tensor : graph.initializer()) weights_.insert(tensor.name());
    for (const auto& node : graph.node())
      if (node.op_type() == "Constant") weights_.insert(node.output(0));
    round_weights(graph, axes);
    if (how_.results == Results::float16 || how_.results == Results::bfloat16)
      round_results(graph);
    else if (how_.results == Results::int8)
      round_to_eight_bits(graph);
  }

private:
  bool weights_are(Weights weights, Results results) const {
    return how_.weights == weights || how_.results == results;
  }

  void round_weights(onnx::GraphProto& graph, const ChannelAxes& axes) {
    for (auto& tensor : *graph.mutable_initializer()) round_stored(tensor, tensor.name(), axes);
    for (auto& node : *graph.mutable_node())
      for (auto& attribute : *node.mutable_attribute()) {
        if (node.op_type() == "Constant" && attribute.has_t())
          round_stored(*attribute.mutable_t(), node.output(0), axes);
        if (attribute.has_g()) round_weights(*attribute.mutable_g(), axes);
      }
  }

  void round_stored(onnx::TensorProto& tensor, const std::string& name, const ChannelAxes& axes) {
    if (tensor.data_type() != onnx::TensorProto::FLOAT) return;
    if (!how_.has_scales()) return round_half(tensor);
    const auto found = axes.find(name);
    const bool is_table = in_eight_bits_.count(name) != 0; // of rows
    if ((found == axes.end() && !is_table) || tensor.dims_size() < 2) return;
    auto numbers = floats_in(tensor);
    const auto folded = folded_.find(name);
    if (folded != folded_.end()) for_each_row(numbers, folded->second, std::multiplies<>());
    shift(numbers);
    round_stored_weight(numbers, {tensor.dims().begin(), tensor.dims().end()},
                        found == axes.end() ? 0 : found->second, how_);
    if (folded != folded_.end()) for_each_row(numbers, folded->second, std::divides<>());
    store(numbers, tensor);
  }

  /// Rows lie one behind the other. Nothing happens where there are not as many as factors.
  template <class Change>
  static void for_each_row(std::vector<float>& numbers, const std::vector<float>& factors,
                           const Change& change) {
    const std::size_t width = numbers.size() / factors.size();
    if (width * factors.size() != numbers.size()) return;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = change(numbers[i], factors[i / width]);
  }

  /// By up to half a step of the largest: what is near the middle goes the other way.
  void shift(std::vector<float>& numbers) {
    if (seed_ == 0) return;
    float largest = 0;
    for (const float number : numbers) largest = std::max(largest, std::abs(number));
    const float step = largest / static_cast<float>(1 << how_.bits);
    std::uniform_real_distribution<float> shifts(-step, step);
    for (float& number : numbers) number += shifts(random_) / 2;
  }

  /// At least 0 and less than 1: what std::uniform_real_distribution draws, in a third of its time,
  /// as whole numbers with a sign become floats without a branch.
  float random_part() {
    constexpr float greatest = 1 - std::numeric_limits<float>::epsilon() / 2;
    return std::min(static_cast<float>(static_cast<std::int64_t>(random_() >> 1U)) * 0x1p-63F,
                    greatest);
  }

  void round_half(onnx::TensorProto& tensor) {
    if (tensor.data_type() != onnx::TensorProto::FLOAT) return;
    constexpr float largest_half = 65504;
    const bool is_half = weights_are(Weights::float16, Results::float16);
    if (!is_half && !weights_are(Weights::bfloat16, Results::bfloat16)) return;
    const int bits = is_half ? 10 : 7;
    const float step = std::ldexp(1.0F, -bits - 1);
    const auto rounded = [&](float number) {
      if (seed_ != 0) number *= 1 + (random_part() * (2 * step) - step);
      return rounded_to(number, bits, is_half ? largest_half : 3e38F);
    };
    change_each<float>(*tensor.mutable_raw_data(), rounded);
    for (float& number : *tensor.mutable_float_data()) number = rounded(number);
  }

  /// Every float32 value goes through the narrower format.
  void round_results(onnx::GraphProto& graph) {
    const int format =
        how_.results == Results::float16 ? onnx::TensorProto::FLOAT16 : onnx::TensorProto::BFLOAT16;
    onnx::GraphProto changed;
    for (auto& node : *graph.mutable_node()) {
      auto* kept = changed.add_node();
      *kept = node;
      for (auto& output : *kept->mutable_output()) {
        if (float_values_.count(output) == 0) continue;
        const std::string name = output;
        output = name + "/wide";
        add_cast(changed, name + "/wide", name + "/narrow", format);
        add_cast(changed, name + "/narrow", name, onnx::TensorProto::FLOAT);
      }
    }
    graph.mutable_node()->Swap(changed.mutable_node());
  }

  /// Values go through eight bits where the copy has them so.
  void round_to_eight_bits(onnx::GraphProto& graph) {
    const SteppedNames rounded = values_to_round(graph);
    std::set<std::string> inputs; // keep their names, and have other readers
    onnx::GraphProto changed;
    for (const auto& input : graph.input())
      if (const auto found = rounded.find(input.name()); found != rounded.end()) {
        inputs.insert(input.name());
        add_eight_bits(changed, input.name(), input.name() + "/rounded", found->second);
      }
    for (const auto& node : graph.node()) {
      auto* kept = changed.add_node();
      *kept = node;
      for (auto& input : *kept->mutable_input())
        if (inputs.count(input) != 0) input += "/rounded";
      for (auto& output : *kept->mutable_output()) {
        const auto found = rounded.find(output);
        if (found == rounded.end()) continue;
        const std::string name = output;
        output += "/exact";
        if (node.op_type() == "Softmax")
          add_shares(changed, name + "/exact", name, found->second);
        else
          add_eight_bits(changed, name + "/exact", name, found->second);
      }
    }
    graph.mutable_node()->Swap(changed.mutable_node());
  }

  SteppedNames values_to_round(const onnx::GraphProto& graph) const {
    constexpr std::size_t one_in = 4; // outputs have two names in a copy
    SteppedNames values;
    const auto add = [&](const std::string& name, float step) {
      const bool is_float = float_values_.count(name) != 0 || given(graph, name);
      if (is_float && weights_.count(name) == 0) values.emplace(name, step);
    };
    std::size_t named = 0;
    for (const auto& [name, step] : in_eight_bits_) {
      add(name, step);
      if (weights_.count(name) == 0) ++named;
    }
    if (named > 0 && one_in * values.size() >= named) return values;
    for (const auto& node : graph.node())
      for (int i = 0; is_layer(node) && i < std::min(2, node.input_size()); ++i)
        add(node.input(i), 0);
    for (const auto& output : graph.output())
      if (how_.everywhere) add(output.name(), 0);
    return values;
  }

  /// As a floating-point input.
  static bool given(const onnx::GraphProto& graph, const std::string& name) {
    return std::ranges::any_of(graph.input(), [&](const auto& input) {
      return input.name() == name &&
             input.type().tensor_type().elem_type() == onnx::TensorProto::FLOAT;
    });
  }

  /// In steps of 1/255 of the range of the values at hand; in wider ones if the copy's are wider,
  /// as where it was calibrated on other values. How wide they may be is bounded, as a wrong scale
  /// is no rounding.
  static void add_eight_bits(onnx::GraphProto& graph, const std::string& from,
                             const std::string& to, float step) {
    add_node(graph, "DynamicQuantizeLinear", {from}, {to + "/steps", to + "/scale", to + "/zero"});
    if (step == 0) {
      add_node(graph, "DequantizeLinear", {to + "/steps", to + "/scale", to + "/zero"}, {to});
      return;
    }
    constexpr float widest = 4; // times what the values at hand need
    add_constant(graph, to + "/given", step);
    add_constant(graph, to + "/times", widest);
    add_node(graph, "Mul", {to + "/scale", to + "/times"}, {to + "/bound"});
    add_node(graph, "Min", {to + "/given", to + "/bound"}, {to + "/bounded"});
    add_node(graph, "Max", {to + "/scale", to + "/bounded"}, {to + "/step"});
    add_node(graph, "Div", {from, to + "/step"}, {to + "/places"});
    add_node(graph, "Round", {to + "/places"}, {to + "/whole"});
    add_node(graph, "Mul", {to + "/whole", to + "/step"}, {to});
  }

  /// Quantisers do not calibrate what lies between 0 and 1, whatever a run gives: its steps are of
  /// 1/256, so that the greatest is less than 1, or of 1/255.
  /// (onnxruntime/python/tools/quantization/operators/softmax.py)
  static void add_shares(onnx::GraphProto& graph, const std::string& from, const std::string& to,
                         float step) {
    constexpr float least = 1.0F / 256, most = 1.0F / 255;
    add_constant(graph, to + "/scale", std::clamp(step, least, most));
    add_node(graph, "QuantizeLinear", {from, to + "/scale"}, {to + "/steps"});
    add_node(graph, "DequantizeLinear", {to + "/steps", to + "/scale"}, {to});
  }

  static void add_constant(onnx::GraphProto& graph, const std::string& name, float number) {
    auto* attribute = add_node(graph, "Constant", {}, {name}).add_attribute();
    attribute->set_name("value");
    attribute->set_type(onnx::AttributeProto::TENSOR);
    attribute->mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
    attribute->mutable_t()->add_float_data(number);
  }

  Narrowing how_;
  const std::set<std::string>& float_values_;
  const SteppedNames& in_eight_bits_;
  std::uint64_t seed_;
  std::mt19937_64 random_;
  std::set<std::string> weights_;
  std::map<std::string, std::vector<float>> folded_; ///< into rows of weights
};

/// The step that a file stores for all elements of a value; 0 where it stores none.
float step_in(const StoredNumbers& stored, const std::string& name) {
  const auto numbers = stored.floats(name);
  return numbers.size() == 1 && numbers.front() > 0 ? numbers.front() : 0;
}

} // namespace

SharedOnnxModel narrowed_onnx(OnnxModel& model, const std::filesystem::path& folder,
                              const Narrowing& narrowing, const std::set<std::string>& float_values,
                              const SteppedNames& in_eight_bits, std::uint64_t seed) {
  auto proto = whole_copy_of(model);
  OnnxNarrower(narrowing, float_values, in_eight_bits, seed).narrow(*proto.mutable_graph());
  return std::make_shared<OnnxModel>(std::move(proto), folder);
}

SteppedNames values_in_whole_numbers(OnnxModel& model) {
  const std::string suffix = "_quantized"; // of ONNX Runtime's quantiser
  SteppedNames values;
  const auto proto = model.proto();
  if (has_external_weights(*proto)) return values;
  const StoredNumbers stored(proto->graph());
  for (const auto& node : proto->graph().node()) {
    const std::string& type = node.op_type();
    const bool has_scale = node.input_size() > 1;
    // An output of the model keeps its name behind the steps.
    const bool makes = type == "DequantizeLinear" && has_scale && !stored.has(node.input(0));
    if (type == "DynamicQuantizeLinear" && node.input_size() > 0) values.emplace(node.input(0), 0);
    if (type == "QuantizeLinear" && has_scale)
      values.emplace(node.input(0), step_in(stored, node.input(1)));
    if (makes && node.output_size() > 0)
      values.emplace(node.output(0), step_in(stored, node.input(1)));
    for (const auto& output : node.output())
      if (output.ends_with(suffix)) {
        const std::string name = output.substr(0, output.size() - suffix.size());
        values.emplace(name, step_in(stored, name + "_scale"));
      }
  }
  return values;
}

} // namespace model_validator::verify
