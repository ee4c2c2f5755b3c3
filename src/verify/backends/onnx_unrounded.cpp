#include "verify/backends/onnx_unrounded.h"

#include "verify/backends/onnx_copy.h"
#include "verify/backends/onnx_stored.h"
#include "verify/backends/onnx_widened.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace model_validator::verify {
namespace {

bool is_in_few_bits(const onnx::NodeProto& node) {
  const std::string& type = node.op_type();
  return type.starts_with("QLinear") || type.starts_with("Dynamic") || type.starts_with("QGemm") ||
         contains({"MatMulNBits", "GatherBlockQuantized", "MatMulBnb4", "MatMulFpQ4",
                   "DequantizeLinear", "QuantizeLinear", "MatMulInteger", "ConvInteger",
                   "MatMulIntegerToFloat", "QAttention", "QEmbedLayerNormalization"},
                  type);
}

/// The value of the reference that one in few bits stands for, as ONNX Runtime's quantiser names
/// it.
std::string name_in_float(const std::string& name) {
  for (const std::string_view suffix : {"_quantized", "_QuantizeLinear_Input"})
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  return name;
}

/// Writes the nodes of a quantised graph anew.
class FloatGraph {
public:
  /// @param find_own  empty: values are rounded as in the file
  FloatGraph(onnx::GraphProto& graph, const FindOwnWeight& find_own,
             const onnx::GraphProto* reference, BelowZero below_zero)
      : graph_(graph), before_(nodes_of(graph)), stored_(graph, before_), find_own_(find_own),
        knows_reference_(reference != nullptr), below_zero_(below_zero) {
    for (const auto& node : before_.node())
      for (const auto& input : node.input()) readers_[input].push_back(&node);
    for (const auto& node : before_.node())
      for (const auto& output : node.output()) makers_[output] = &node;
    if (reference != nullptr) note_activations(*reference);
  }

  void write() {
    graph_.clear_value_info(); // types that change
    for (const auto& node : before_.node()) {
      if (rewritten(node)) continue;
      is_complete = is_complete && !is_in_few_bits(node);
      *graph_.add_node() = node;
      if (is_unrounded() && node.output_size() > 0) add_activation(node.output(0), node.op_type());
    }
  }

  bool is_complete = true;
  bool has_products = false; ///< of whole numbers
  bool is_guessed = false;   ///< what steps that begin at zero stand for

private:
  /// Takes them out of the graph.
  static onnx::GraphProto nodes_of(onnx::GraphProto& graph) {
    onnx::GraphProto taken;
    taken.mutable_node()->Swap(graph.mutable_node());
    return taken;
  }

  using Rewrite = bool (FloatGraph::*)(const onnx::NodeProto&);

  bool is_unrounded() const { return static_cast<bool>(find_own_); }

  bool rewritten(const onnx::NodeProto& node) {
    static const std::map<std::string, Rewrite> always{
        {"MatMulNBits", &FloatGraph::rewrite_blocks},
        {"MatMulInteger", &FloatGraph::rewrite_product},
        {"ConvInteger", &FloatGraph::rewrite_product},
        {"DynamicQuantizeLSTM", &FloatGraph::rewrite_lstm},
        {"QLinearConv", &FloatGraph::rewrite_layer},
        {"QLinearMatMul", &FloatGraph::rewrite_layer},
        {"QGemm", &FloatGraph::rewrite_layer},
    };
    static const std::map<std::string, Rewrite> unrounded{
        {"DequantizeLinear", &FloatGraph::rewrite_dequantise},
        {"Gather", &FloatGraph::rewrite_gather},
        {"QuantizeLinear", &FloatGraph::rewrite_quantise},
        {"DynamicQuantizeLinear", &FloatGraph::rewrite_dynamic},
        {"QLinearAdd", &FloatGraph::rewrite_two},
        {"QLinearMul", &FloatGraph::rewrite_two},
        {"QLinearConcat", &FloatGraph::rewrite_concat},
    };
    if (const auto found = always.find(node.op_type()); found != always.end())
      return (this->*found->second)(node);
    if (!is_unrounded()) return false;
    if (const auto found = unrounded.find(node.op_type()); found != unrounded.end())
      return (this->*found->second)(node);
    return node.op_type().starts_with("QLinear") && rewrite_one(node);
  }

  // --- activations that the quantiser left out

  void note_activations(const onnx::GraphProto& reference) {
    for (const auto& node : reference.node()) {
      if (node.op_type() != "Relu" && node.op_type() != "Clip") continue;
      activations_[node.output(0)] = node;
      activated_[node.input(0)] = node.output(0);
    }
    for (const auto& tensor : reference.initializer())
      if (tensor.dims_size() == 0) bounds_[tensor.name()] = tensor;
    for (const auto& node : reference.node())
      if (node.op_type() == "Constant" && node.attribute_size() == 1 && node.attribute(0).has_t() &&
          node.attribute(0).t().dims_size() == 0)
        bounds_[node.output(0)] = node.attribute(0).t();
  }

  bool begins_at_zero(const std::string& zero_point) const {
    const auto zero = stored_.weight(zero_point, "", "", 0);
    return zero && zero->ends.size() == 1 && zero->ends.front() < 0;
  }

  bool is_computed(const std::string& name) const {
    const auto maker = makers_.find(name);
    return maker != makers_.end() && maker->second->op_type() != "DequantizeLinear";
  }

  /// By the name of its result, or of what it takes where steps that begin at zero stand for both.
  std::string activated_name(const std::string& value, bool clips_below_zero) const {
    const std::string name = name_in_float(value);
    const auto next = activated_.find(name);
    if (!clips_below_zero || next == activated_.end()) return name;
    const bool is_made = is_computed(next->second) || is_computed(next->second + "_quantized");
    return is_made ? name : next->second;
  }

  /// Where steps that begin at zero do what an activation did, the quantiser leaves it out and
  /// gives its result the same name, or that of what it took.
  void add_activation(const std::string& value, const std::string& made_by,
                      bool clips_below_zero = false) {
    const auto found = activations_.find(activated_name(value, clips_below_zero));
    if (found == activations_.end() || found->second.op_type() == made_by) return;
    auto* made = graph_.mutable_node(graph_.node_size() - 1);
    made->set_output(0, value + "/before");
    onnx::NodeProto activation = found->second;
    activation.set_input(0, value + "/before");
    for (int i = 1; i < activation.input_size(); ++i) {
      const auto bound = bounds_.find(activation.input(i));
      if (bound == bounds_.end()) continue;
      const std::string name = value + "/bound" + std::to_string(i);
      *graph_.add_initializer() = bound->second;
      graph_.mutable_initializer(graph_.initializer_size() - 1)->set_name(name);
      activation.set_input(i, name);
    }
    activation.set_output(0, value);
    *graph_.add_node() = std::move(activation);
  }

  void add_guessed_activation(const std::string& from, const std::string& to) {
    is_guessed = true;
    if (below_zero_ == BelowZero::is_cut_off) {
      add_node(graph_, "Relu", {from}, {to});
      return;
    }
    constexpr float little = 1e-4F; // of the squares: a hundredth of the values
    const auto made = [&](const char* what) { return to + "/" + what; };
    add_stored(made("little"), {}, {little});
    add_node(graph_, "Relu", {from}, {made("relu")});
    add_node(graph_, "Sub", {from, made("relu")}, {made("cut")});
    add_node(graph_, "ReduceSumSquare", {made("cut")}, {made("cut/squares")});
    add_node(graph_, "ReduceSumSquare", {from}, {made("squares")});
    add_node(graph_, "Mul", {made("squares"), made("little")}, {made("most")});
    add_node(graph_, "Less", {made("cut/squares"), made("most")}, {made("is_little")});
    add_node(graph_, "Where", {made("is_little"), from, made("relu")}, {to});
  }

  // --- numbers that are stored

  void add_stored(const std::string& name, const std::vector<std::int64_t>& sizes,
                  const std::vector<float>& numbers) {
    auto* tensor = graph_.add_initializer();
    tensor->set_name(name);
    for (const std::int64_t size : sizes) tensor->add_dims(size);
    store(numbers, *tensor);
  }

  /// Stores a weight as the reference has it, or as the file does.
  void add_weight(const std::string& name, const FewBitWeight& weight) {
    std::vector<float> own;
    if (is_unrounded()) own = find_own_(weight);
    add_stored(name, weight.sizes, own.size() == weight.numbers.size() ? own : weight.numbers);
  }

  /// The name of a value in float that a node reads in few bits.
  std::string in_float(const onnx::NodeProto& node, int value, int scale, int zero_point) {
    const std::string& name = node.input(value);
    const std::string made = name + "/float/" + std::to_string(graph_.node_size());
    if (const auto weight = stored_.weight(name, input(node, scale), input(node, zero_point),
                                           axis_of_scales(node))) {
      FewBitWeight read = *weight;
      read.layer = node.name();
      add_weight(made, read);
      return made;
    }
    if (is_unrounded()) return name;
    add_node(graph_, "DequantizeLinear", {name, node.input(scale), node.input(zero_point)}, {made});
    return made;
  }

  static std::string input(const onnx::NodeProto& node, int place) {
    return place < node.input_size() ? node.input(place) : std::string();
  }

  static std::int64_t axis_of_scales(const onnx::NodeProto& node) {
    if (node.op_type() == "QLinearConv") return 0;
    if (node.op_type() == "QGemm") return attribute_of(node, "transB", 0) != 0 ? 0 : -1;
    return node.op_type() == "DequantizeLinear" ? attribute_of(node, "axis", 1) : -1;
  }

  // --- operators

  /// @param zero_point  which operand of the node is that of its result
  void add_like(const onnx::NodeProto& node, const std::string& type,
                const std::vector<std::string>& inputs, const std::string& output,
                int zero_point = -1) {
    auto& added = add_node(graph_, type.c_str(), inputs, {output});
    added.set_name(node.name());
    for (const auto& attribute : node.attribute())
      if (attribute.name() != "channels_last") *added.add_attribute() = attribute;
    if (!is_unrounded()) return;
    const bool clips_below_zero = zero_point >= 0 && begins_at_zero(input(node, zero_point));
    if (knows_reference_) return add_activation(output, type, clips_below_zero);
    if (!clips_below_zero) return;
    added.set_output(0, output + "/before");
    add_guessed_activation(output + "/before", output);
  }

  /// Rounds a result as the file does, if anything is to be rounded.
  void add_result(const onnx::NodeProto& node, const std::string& type,
                  const std::vector<std::string>& inputs, int scale, int zero_point) {
    const std::string& output = node.output(0);
    if (is_unrounded()) {
      add_like(node, type, inputs, output, zero_point);
      return;
    }
    add_like(node, type, inputs, output + "/float");
    add_node(graph_, "QuantizeLinear",
             {output + "/float", node.input(scale), node.input(zero_point)}, {output});
  }

  bool rewrite_dequantise(const onnx::NodeProto& node) {
    auto weight = stored_.weight(node.input(0), input(node, 1), input(node, 2),
                                 axis_of_scales(node), attribute_of(node, "block_size", 0));
    if (!weight) {
      const auto maker = makers_.find(node.input(0));
      const bool is_picked = maker != makers_.end() && picks_stored(*maker->second);
      if (stored_.has(node.input(0)) || (is_picked && !picked_.contains(node.input(0))))
        return false;
      add_node(graph_, "Identity", {node.input(0)}, {node.output(0)});
      return true;
    }
    const auto readers = readers_.find(node.output(0));
    weight->layer = readers == readers_.end() ? node.name() : readers->second.front()->name();
    add_weight(node.output(0), *weight);
    return true;
  }

  bool picks_stored(const onnx::NodeProto& node) const {
    return node.op_type() == "Gather" && stored_.has(node.input(0));
  }

  /// The table of an embedding in few bits, which is dequantised after its rows were picked.
  std::optional<FewBitWeight> picked_weight(const onnx::NodeProto& gather) const {
    const auto readers = readers_.find(gather.output(0));
    if (readers == readers_.end() || readers->second.size() != 1) return std::nullopt;
    const onnx::NodeProto& reader = *readers->second.front();
    if (reader.op_type() != "DequantizeLinear" || stored_.floats(reader.input(1)).size() != 1)
      return std::nullopt;
    return stored_.weight(gather.input(0), reader.input(1), input(reader, 2), 0);
  }

  bool rewrite_gather(const onnx::NodeProto& node) {
    auto weight = picks_stored(node) ? picked_weight(node) : std::nullopt;
    if (!weight) return false;
    weight->layer = node.name();
    const std::string name = node.output(0) + "/table";
    add_weight(name, *weight);
    picked_.insert(node.output(0));
    onnx::NodeProto& gather = *graph_.add_node() = node;
    gather.set_input(0, name);
    return true;
  }

  /// Steps that begin at zero do what a ReLU does, which the quantiser then leaves out.
  bool rewrite_quantise(const onnx::NodeProto& node) {
    if (!knows_reference_ && begins_at_zero(input(node, 2)))
      add_guessed_activation(node.input(0), node.output(0));
    else
      add_node(graph_, "Identity", {node.input(0)}, {node.output(0)});
    return true;
  }

  /// Whole steps of one, so that products with its scale stay as they are.
  bool rewrite_dynamic(const onnx::NodeProto& node) {
    add_node(graph_, "Identity", {node.input(0)}, {node.output(0)});
    add_stored(node.output(1), {}, {1});
    add_stored(node.output(2), {}, {0});
    return true;
  }

  /// The scale of a weight that is a factor of its product: `(a · w) · (a's scale · w's scale)`.
  std::string scale_of_product(const std::string& product) const {
    std::string value = product;
    for (int i = 0; i < 2; ++i) { // a Cast, and the Mul
      const auto readers = readers_.find(value);
      if (readers == readers_.end()) return {};
      const onnx::NodeProto& reader = *readers->second.front();
      if (reader.op_type() == "Mul") return stored_factor(reader, value);
      value = reader.output(0);
    }
    return {};
  }

  std::string stored_factor(const onnx::NodeProto& mul, const std::string& product) const {
    const std::string& other = mul.input(mul.input(0) == product ? 1 : 0);
    if (stored_.has(other)) return other;
    const auto maker = makers_.find(other);
    if (maker == makers_.end() || maker->second->op_type() != "Mul") return {};
    for (const auto& factor : maker->second->input())
      if (stored_.has(factor)) return factor;
    return {};
  }

  bool rewrite_product(const onnx::NodeProto& node) {
    const std::string scale = scale_of_product(node.output(0));
    auto weight = stored_.weight(node.input(1), scale, input(node, 3),
                                 node.op_type() == "ConvInteger" ? 0 : -1);
    if (!weight || scale.empty()) return false;
    has_products = true;
    weight->layer = node.name();
    const std::string name = node.output(0) + "/weight", unscaled = name + "/unscaled";
    add_weight(name, *weight);
    add_node(graph_, "Div", {name, scale_along(scale, *weight, node)}, {unscaled});
    std::string value = node.input(0);
    if (!is_unrounded()) value = shifted(node);
    add_like(node, node.op_type() == "ConvInteger" ? "Conv" : "MatMul", {value, unscaled},
             node.output(0));
    return true;
  }

  /// One for all, or one for each column of a matrix, or for each channel of a convolution.
  std::string scale_along(const std::string& scale, const FewBitWeight& weight,
                          const onnx::NodeProto& node) {
    const auto numbers = stored_.floats(scale);
    if (node.op_type() != "ConvInteger" || numbers.size() == 1) return scale;
    const std::string name = node.output(0) + "/scales";
    std::vector<std::int64_t> sizes(weight.sizes.size(), 1);
    sizes.front() = static_cast<std::int64_t>(numbers.size());
    add_stored(name, sizes, numbers);
    return name;
  }

  /// What is rounded dynamically, in steps from its zero.
  std::string shifted(const onnx::NodeProto& node) {
    const std::string name = node.output(0) + "/value";
    std::string value = as_float(node.input(0), name + "/steps");
    if (const std::string zero = input(node, 2); !zero.empty())
      add_node(graph_, "Sub", {value, as_float(zero, name + "/zero")}, {name});
    else
      add_node(graph_, "Identity", {value}, {name});
    return name;
  }

  std::string as_float(const std::string& from, const std::string& to) {
    add_cast(graph_, from, to, onnx::TensorProto::FLOAT);
    return to;
  }

  bool rewrite_blocks(const onnx::NodeProto& node) {
    auto weight = stored_.blocked_weight(node);
    if (!weight) return false;
    has_products = true;
    constexpr int bias = 5;
    const std::string name = node.output(0) + "/weight", turned = name + "/turned";
    add_weight(name, *weight);
    add_node(graph_, "Transpose", {name}, {turned});
    const bool has_bias = !input(node, bias).empty();
    const std::string product = has_bias ? node.output(0) + "/product" : node.output(0);
    add_node(graph_, "MatMul", {node.input(0), turned}, {product}).set_name(node.name());
    if (has_bias) add_node(graph_, "Add", {product, node.input(bias)}, {node.output(0)});
    return true;
  }

  /// Its inputs: X, W, R, B, lengths, h, c, P, then scale and zero point of W and of R.
  bool rewrite_lstm(const onnx::NodeProto& node) {
    std::vector<std::string> inputs(node.input().begin(), node.input().begin() + 8);
    for (const int place : {1, 2}) {
      const int scale = 6 + 2 * place;
      auto weight =
          stored_.weight(node.input(place), input(node, scale), input(node, scale + 1), 0);
      if (!weight || weight->sizes.size() != 3) return false;
      weight->layer = node.name();
      const std::string name = node.output(0) + "/weight" + std::to_string(place);
      add_weight(name, *weight);
      auto* order = add_node(graph_, "Transpose", {name}, {name + "/turned"}).add_attribute();
      order->set_name("perm");
      order->set_type(onnx::AttributeProto::INTS);
      for (const int axis : {0, 2, 1}) order->add_ints(axis);
      inputs[static_cast<std::size_t>(place)] = name + "/turned";
    }
    has_products = true;
    auto& lstm = add_node(graph_, "LSTM", inputs, {});
    lstm.set_name(node.name());
    *lstm.mutable_attribute() = node.attribute();
    *lstm.mutable_output() = node.output();
    return true;
  }

  /// A layer whose operands and result are in few bits: a, its scale and zero point, b, likewise.
  bool rewrite_layer(const onnx::NodeProto& node) {
    const bool is_gemm = node.op_type() == "QGemm";
    const int of_result = is_gemm ? 7 : 6, bias = is_gemm ? 6 : 8;
    std::vector<std::string> inputs{in_float(node, 0, 1, 2), in_float(node, 3, 4, 5)};
    if (node.op_type() != "QLinearMatMul" && !input(node, bias).empty()) {
      auto sums = stored_.sums(node.input(bias), node.input(1), node.input(4));
      if (!sums) return false;
      sums->layer = node.name();
      inputs.push_back(node.output(0) + "/bias");
      add_weight(inputs.back(), *sums);
    }
    if (is_gemm && node.input_size() <= of_result) return false; // its result is in float
    has_products = true;
    const std::string type = is_gemm ? "Gemm" : node.op_type().substr(7);
    add_result(node, type, inputs, of_result, of_result + 1);
    return true;
  }

  bool rewrite_one(const onnx::NodeProto& node) {
    if (node.input_size() < 4) return false;
    add_like(node, node.op_type().substr(7), {in_float(node, 0, 1, 2)}, node.output(0), 4);
    return true;
  }

  bool rewrite_two(const onnx::NodeProto& node) {
    add_like(node, node.op_type().substr(7), {in_float(node, 0, 1, 2), in_float(node, 3, 4, 5)},
             node.output(0), 7);
    return true;
  }

  bool rewrite_concat(const onnx::NodeProto& node) {
    std::vector<std::string> inputs;
    for (int i = 2; i + 2 < node.input_size(); i += 3)
      inputs.push_back(in_float(node, i, i + 1, i + 2));
    add_like(node, "Concat", inputs, node.output(0));
    return true;
  }

  onnx::GraphProto& graph_;
  const onnx::GraphProto before_; ///< its nodes
  StoredNumbers stored_;
  const FindOwnWeight& find_own_;
  bool knows_reference_;
  BelowZero below_zero_;
  std::map<std::string, std::vector<const onnx::NodeProto*>> readers_;
  std::map<std::string, const onnx::NodeProto*> makers_;
  std::map<std::string, onnx::NodeProto> activations_; ///< of the reference, by what they yield
  std::map<std::string, std::string> activated_;       ///< what they yield, by what they take
  std::map<std::string, onnx::TensorProto> bounds_;    ///< its single numbers
  std::set<std::string> picked_;                       ///< rows of tables that are in float
};

} // namespace

UnroundedModel unrounded_onnx(OnnxModel& model, const SharedOnnxModel& reference,
                              const std::filesystem::path& folder, const FindOwnWeight& find_own,
                              BelowZero below_zero) {
  auto proto = whole_copy_of(model);
  std::shared_ptr<const onnx::ModelProto> own;
  if (reference) own = reference->proto();
  FloatGraph graph(*proto.mutable_graph(), find_own, own ? &own->graph() : nullptr, below_zero);
  graph.write();
  if (graph.is_complete)
    widen_halves(*proto.mutable_graph(), own ? &own->graph() : nullptr, find_own);
  return {std::make_shared<OnnxModel>(std::move(proto), folder), graph.is_complete,
          graph.is_guessed};
}

SharedOnnxModel onnx_in_float(const SharedOnnxModel& model, const std::filesystem::path& folder) {
  const auto stored = model->proto();
  if (has_external_weights(*stored)) return model;
  onnx::ModelProto proto = *stored;
  const FindOwnWeight none;
  FloatGraph graph(*proto.mutable_graph(), none, nullptr, BelowZero::is_cut_off);
  graph.write();
  return graph.has_products ? std::make_shared<OnnxModel>(std::move(proto), folder) : model;
}

} // namespace model_validator::verify
