#include "connected_graph/onnx/yielded_ranks.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace model_validator::onnx_format {
namespace {

using Inputs = std::vector<const Binding*>;

/// Operators whose results have the rank of their first input.
constexpr auto ranks_of_first = word_array<
    "Abs Acos Acosh Asin Asinh Atan Atanh AveragePool Bernoulli BitwiseNot Cast CastLike Ceil Celu "
    "Clip Cos Cosh CumSum DepthToSpace DequantizeLinear Dropout Elu Erf Exp EyeLike Floor "
    "GatherElements Gelu GlobalAveragePool GlobalLpPool GlobalMaxPool GridSample "
    "GroupNormalization HardSigmoid HardSwish Hardmax Identity InstanceNormalization IsInf IsNaN "
    "LRN LayerNormalization LeakyRelu Log LogSoftmax LpNormalization LpPool MaxPool "
    "MeanVarianceNormalization Mish Neg Not PRelu Pad QuantizeLinear RMSNormalization "
    "RandomNormalLike RandomUniformLike Reciprocal Relu Resize ReverseSequence Round "
    "ScatterElements ScatterND Selu Shrink Sigmoid Sign Sin Sinh Slice Softmax Softplus Softsign "
    "SpaceToDepth Split Sqrt Swish Tan Tanh ThresholdedRelu Tile TopK Trilu Upsample">;

/// Operators that broadcast their inputs.
constexpr auto broadcasting = word_array<
    "Add And BitShift BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less "
    "LessOrEqual Max Mean Min Mod Mul Or Pow Sub Sum Where Xor">;

Rank of(const Inputs& inputs, std::size_t number) {
  const bool given = number < inputs.size() && inputs[number] != nullptr;
  return given ? rank_of(inputs[number]->type) : Rank{};
}

Rank fixed(std::size_t rank) { return {rank, false}; }

/// The largest rank of several tensors; open where any is.
Rank largest(const Inputs& inputs) {
  Rank result = fixed(0);
  bool all_known = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Rank each = of(inputs, i);
    if (each.open) return each;
    all_known = all_known && each.known;
    result.known = std::max(*result.known, each.known.value_or(0));
  }
  return all_known ? result : Rank{};
}

/// Tensors that are joined have one rank, so one that is known tells it.
Rank common(const Inputs& inputs) {
  bool all_open = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Rank each = of(inputs, i);
    if (each.known) return each;
    all_open = all_open && each.open;
  }
  return {std::nullopt, all_open && !inputs.empty()};
}

Rank changed(const Rank& rank, std::optional<std::ptrdiff_t> by) {
  if (rank.open) return rank;
  if (!rank.known || !by || static_cast<std::ptrdiff_t>(*rank.known) + *by < 0) return {};
  return fixed(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(*rank.known) + *by));
}

/// How many numbers a constant holds.
std::optional<std::ptrdiff_t> count_in(const Binding* binding) {
  if (binding == nullptr || !binding->literal) return std::nullopt;
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&*binding->literal))
    return static_cast<std::ptrdiff_t>(list->size());
  return std::holds_alternative<std::int64_t>(*binding->literal) ? std::optional<std::ptrdiff_t>(1)
                                                                 : std::nullopt;
}

class RankOfNode {
public:
  RankOfNode(const ::onnx::NodeProto& node, const FindAttribute& find, const Inputs& inputs)
      : node_(node), find_(find), inputs_(inputs) {}

  Rank operator()(int output) const {
    using Rule = Rank (*)(const RankOfNode&, int output);
    static const std::map<std::string_view, Rule> rules{
        {"ArgMax", [](const RankOfNode& node, int) { return node.reduced(1, false); }},
        {"ArgMin", [](const RankOfNode& node, int) { return node.reduced(1, false); }},
        {"BatchNormalization",
         [](const RankOfNode& node, int i) { return i == 0 ? node.first() : fixed(1); }},
        {"Concat", [](const RankOfNode& node, int) { return common(node.inputs_); }},
        {"Conv", [](const RankOfNode& node, int) { return node.convolved(); }},
        {"ConvTranspose", [](const RankOfNode& node, int) { return node.convolved(); }},
        {"GRU", [](const RankOfNode&, int i) { return fixed(i == 0 ? 4 : 3); }},
        {"Gather", [](const RankOfNode& node, int) { return node.gathered(); }},
        {"LSTM", [](const RankOfNode&, int i) { return fixed(i == 0 ? 4 : 3); }},
        {"MatMul", [](const RankOfNode& node, int) { return node.multiplied(); }},
        {"RNN", [](const RankOfNode&, int i) { return fixed(i == 0 ? 4 : 3); }},
        {"Squeeze", [](const RankOfNode& node, int) { return node.squeezed(); }},
        {"Transpose", [](const RankOfNode& node, int) { return node.transposed(); }},
        {"Unsqueeze",
         [](const RankOfNode& node, int) { return changed(node.first(), node.axes()); }},
    };
    const std::string& type = node_.op_type();
    if (contains(ranks_of_first, type)) return first();
    if (contains(broadcasting, type)) return largest(inputs_);
    if (type.starts_with("Reduce")) return reduced(axes(), true);
    const auto rule = rules.find(type);
    return rule == rules.end() ? by_shape(type) : rule->second(*this, output);
  }

private:
  Rank first() const { return of(inputs_, 0); }
  Rank convolved() const { return common({input(0), input(1)}); }
  Rank squeezed() const {
    return changed(first(), axes() ? std::optional(-*axes()) : std::nullopt);
  }

  const Binding* input(std::size_t number) const {
    return number < inputs_.size() ? inputs_[number] : nullptr;
  }

  std::int64_t number(std::string_view name, std::int64_t otherwise) const {
    const auto* found = find_(name);
    return found == nullptr ? otherwise : found->i();
  }

  /// How many axes are named, by an attribute or, since opset 13, by an input.
  std::optional<std::ptrdiff_t> axes() const {
    if (const auto* found = find_("axes")) return found->ints_size();
    return count_in(input(1));
  }

  Rank reduced(std::optional<std::ptrdiff_t> axes, bool all_without) const {
    const Rank rank = of(inputs_, 0);
    if (rank.open || number("keepdims", 1) != 0) return rank;
    if (axes && *axes > 0) return changed(rank, -*axes);
    const bool all = all_without && input(1) == nullptr && number("noop_with_empty_axes", 0) == 0;
    return all ? fixed(0) : Rank{};
  }

  Rank multiplied() const {
    const Rank a = of(inputs_, 0);
    const Rank b = of(inputs_, 1);
    if (a.open || b.open) return {std::nullopt, true};
    if (!a.known || !b.known) return {};
    if (*a.known > 1 && *b.known > 1) return fixed(std::max(*a.known, *b.known));
    return changed(fixed(*a.known + *b.known), -2);
  }

  Rank gathered() const {
    const Rank data = of(inputs_, 0);
    const Rank indices = of(inputs_, 1);
    if (data.open || indices.open) return {std::nullopt, true};
    if (!data.known || !indices.known) return {};
    return changed(fixed(*data.known + *indices.known), -1);
  }

  Rank transposed() const {
    const auto* order = find_("perm");
    return order == nullptr ? of(inputs_, 0) : fixed(static_cast<std::size_t>(order->ints_size()));
  }

  /// Operators whose result has the shape that an input or an attribute states, or a fixed rank.
  Rank by_shape(const std::string& type) const {
    if (type == "Size") return fixed(0);
    if (type == "Shape" || type == "Range") return fixed(1);
    if (type == "NonZero" || type == "Flatten" || type == "Gemm") return fixed(2);
    if (type == "Reshape") return changed(fixed(0), count_in(input(1)));
    if (type == "ConstantOfShape") return changed(fixed(0), count_in(input(0)));
    if (type == "Constant") return of_constant();
    if (type == "OneHot") return changed(of(inputs_, 0), 1);
    if (type != "Expand") return {};
    const Rank shape = changed(fixed(0), count_in(input(1)));
    const Rank data = of(inputs_, 0);
    if (data.open || !data.known || !shape.known) return {std::nullopt, data.open};
    return fixed(std::max(*data.known, *shape.known));
  }

  Rank of_constant() const {
    if (const auto* tensor = find_("value"))
      return fixed(static_cast<std::size_t>(tensor->t().dims_size()));
    for (const char* name : {"value_float", "value_int", "value_string"})
      if (find_(name) != nullptr) return fixed(0);
    for (const char* name : {"value_floats", "value_ints", "value_strings"})
      if (find_(name) != nullptr) return fixed(1);
    return {};
  }

  const ::onnx::NodeProto& node_;
  const FindAttribute& find_;
  const Inputs& inputs_;
};

} // namespace

Rank rank_of(const KnownType& type) {
  return type.unranked ? Rank{std::nullopt, true} : Rank{type.rank, false};
}

Rank rank_of_either(const Rank& a, const Rank& b) {
  if (a.open || b.open) return {std::nullopt, true};
  if (!a.known || !b.known) return {};
  return *a.known == *b.known ? a : Rank{std::nullopt, true};
}

std::vector<Rank> yielded_ranks(const ::onnx::NodeProto& node, const FindAttribute& find,
                                const std::vector<const Binding*>& inputs) {
  const RankOfNode rank(node, find, inputs);
  std::vector<Rank> ranks;
  for (int i = 0; i < node.output_size(); ++i) ranks.push_back(rank(i));
  return ranks;
}

} // namespace model_validator::onnx_format
