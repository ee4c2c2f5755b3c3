#include "connected_graph/onnx/weight_forms.h"

#include "connected_graph/onnx/attributes.h"
#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/tensor.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::onnx_format {
namespace {

using Graph = ::onnx::GraphProto;
using Node = ::onnx::NodeProto;
using shapes::Shape;

constexpr std::string_view read_weights = "DequantizeLinear";

float real_named(const Node& node, std::string_view name, float usual) {
  const auto* found = attribute_named(node, name);
  return found == nullptr ? usual : found->f();
}

/// A matrix, or more, of small whole numbers that is stored with its scales.
struct Weights {
  const Node* read; ///< the node that makes numbers of it
  const Shape* sizes;
  const Shape* scales;
  std::int64_t axis; ///< that a list of scales is along, or blocks are
  std::int64_t block;
  bool transposed = false; ///< before it is read

  bool has_list() const { return block == 0 && scales->size() == 1 && !scales->front().is(1); }
};

class WeightForms {
public:
  WeightForms(const Graph& graph, const Scope& scope, const GraphLinks& links,
              const OnnxFile& source, FormList& forms)
      : graph_(graph), scope_(scope), links_(links), source_(source), forms_(forms) {}

  void read() {
    const auto reads = [](const Node& node) { return is_standard(node, read_weights); };
    if (!std::ranges::any_of(graph_.node(), reads)) return;
    for (const Node& node : graph_.node()) look_at(node);
  }

private:
  void look_at(const Node& node) {
    if (is_standard(node, "Gather")) look_at_rows(node);
    if (is_standard(node, "MatMul") || is_standard(node, "Gemm")) {
      look_at_sum(node);
      look_at_product(node);
    }
    if (is_standard(node, read_weights)) look_at_pairs(node);
  }

  /// The node of a type that makes an operand, which nothing else reads.
  const Node* only_for(const Node* node, int input, std::string_view type) const {
    const Node* made = links_.operand(node, input, type);
    if (made == nullptr) return nullptr;
    const std::string& name = node->input(input);
    return links_.reads(name) == 1 && !links_.is_result(name) ? made : nullptr;
  }

  bool is_absent_or_stored(const Node& node, int input) const {
    if (input >= node.input_size() || node.input(input).empty()) return true;
    const Binding* found = links_.bound(node, input);
    return found != nullptr && found->stored();
  }

  /// Of stored numbers, scales and zero points alone.
  bool are_stored(const Node& read) const {
    static const std::vector<std::string_view> small = {"int8", "uint8", "int4", "uint4"};
    const Binding *numbers = links_.bound(read, 0), *scales = links_.bound(read, 1);
    return numbers != nullptr && numbers->stored() && scales != nullptr && scales->stored() &&
           is_absent_or_stored(read, 2) && contains(small, std::string_view(numbers->type.dtype));
  }

  std::optional<Weights> weights(const Node* read) const {
    if (read == nullptr || !are_stored(*read)) return std::nullopt;
    const auto &sizes = links_.bound(*read, 0)->sizes.shape,
               &scales = links_.bound(*read, 1)->sizes.shape;
    if (!sizes || !scales) return std::nullopt;
    const auto rank = static_cast<std::int64_t>(sizes->size());
    const std::int64_t axis = integer_named(*read, "axis", 1);
    return Weights{read, &*sizes, &*scales, axis < 0 ? axis + rank : axis,
                   integer_named(*read, "block_size", 0)};
  }

  /// A list of scales that are known not to be the same.
  bool has_unequal_scales(const Weights& weights) const {
    constexpr std::size_t max_scales = std::size_t{1} << 16;
    const Binding* scales = links_.bound(*weights.read, 1);
    if (!weights.has_list() || scales->tensor == nullptr) return false;
    const auto known = numbers_of(*scales->tensor, source_.filtered, source_.file, max_scales);
    return known && !known->empty() &&
           std::ranges::adjacent_find(*known, std::not_equal_to{}) != known->end();
  }

  /// Rows of a table whose scales are along another axis, also through a cast.
  void look_at_rows(const Node& gather) {
    const Node* cast = links_.operand(&gather, 0, "Cast");
    const auto table = weights(links_.operand(cast == nullptr ? &gather : cast, 0, read_weights));
    if (table && table->axis != 0 && has_unequal_scales(*table))
      forms_.add("scales-gathered", spoken(gather) + " picks from weights that " +
                                        spoken(*table->read) +
                                        " reads with scales along another axis than the first");
  }

  std::optional<Weights> weights_of_product(const Node& product) const {
    const bool is_gemm = is_standard(product, "Gemm");
    if (is_gemm && real_named(product, "alpha", 1) != 1) return std::nullopt;
    const Node* between = is_gemm ? nullptr : only_for(&product, 1, "Transpose");
    const bool is_turned = between != nullptr;
    if (between == nullptr) between = only_for(&product, 1, "Cast");
    auto found = weights_before(product, between);
    if (found) found->transposed = is_turned || integer_named(product, "transB", 0) != 0;
    return found;
  }

  /// A matrix of weights that only a product reads, or only a node between.
  std::optional<Weights> weights_before(const Node& product, const Node* between) const {
    const Node* read = between == nullptr ? only_for(&product, 1, read_weights)
                                          : only_for(between, 0, read_weights);
    const auto found = weights(read);
    return found && found->sizes->size() == 2 ? found : std::nullopt;
  }

  /// How many rows are multiplied; nothing where that is free.
  std::optional<std::int64_t> rows(const Node& product) const {
    const Binding* result = scope_.find(product.output(0));
    if (result == nullptr || !result->sizes.shape) return std::nullopt;
    const Shape& sizes = *result->sizes.shape;
    std::int64_t count = 1;
    for (std::size_t axis = 0; axis + 1 < sizes.size(); ++axis) {
      const auto size = sizes[axis].number();
      if (!size || *size < 0) return std::nullopt;
      if (*size > max_rows) return size;
      count = std::min(count * *size, max_rows);
    }
    return count;
  }

  /// Weights with a scale for each element of what is summed over, not of what is yielded: of few
  /// rows, for which there is another kernel.
  void look_at_sum(const Node& product) {
    constexpr std::int64_t few = 4;
    const auto found = weights_of_product(product);
    const std::int64_t summed = found && found->transposed ? 1 : 0;
    if (!found || found->axis != summed || !has_unequal_scales(*found)) return;
    const Shape& sizes = *found->sizes;
    const auto length = sizes[static_cast<std::size_t>(summed)].number();
    const auto count = rows(product);
    if (length.value_or(0) < few || sizes[static_cast<std::size_t>(1 - summed)].is(1) ||
        count.value_or(0) > few)
      return;
    forms_.add(count ? "scales-summed" : "scales-summed-open",
               spoken(product) + " sums over the axis that the weights of " + spoken(*found->read) +
                   " have their scales along");
  }

  /// Weights that are quantised, by what is not: ONNX Runtime quantises that as well.
  void look_at_product(const Node& product) {
    if (links_.operand(&product, 0, read_weights) != nullptr || !is_plain(product)) return;
    const auto found = weights_before(product, only_for(&product, 1, "Identity"));
    if (found && has_scales_by_column(*found))
      forms_.add("weights-alone", spoken(product) + " multiplies by the quantised weights that " +
                                      spoken(*found->read) + " reads, and only they are quantised");
  }

  bool is_plain(const Node& product) const {
    const bool is_scaled =
        real_named(product, "alpha", 1) != 1 || real_named(product, "beta", 1) != 1;
    const bool is_turned =
        integer_named(product, "transA", 0) != 0 || integer_named(product, "transB", 0) != 0;
    return !is_scaled && !is_turned && (product.input_size() < 3 || has_bias_by_column(product));
  }

  bool has_bias_by_column(const Node& product) const {
    if (product.input(2).empty()) return true;
    const Binding* bias = links_.bound(product, 2);
    return bias != nullptr && bias->sizes.shape && bias->sizes.shape->size() == 1 &&
           !bias->sizes.shape->front().is(1);
  }

  /// One scale, one for each column, or one for each block of a column.
  static bool has_scales_by_column(const Weights& weights) {
    constexpr std::int64_t min_block = 16;
    if (weights.block == 0)
      return weights.scales->empty() ||
             (weights.has_list() && integer_named(*weights.read, "axis", 1) == 1);
    return weights.axis == 0 && weights.block >= min_block &&
           std::has_single_bit(static_cast<std::uint64_t>(weights.block));
  }

  std::optional<double> number(const Node& node, int input) const {
    const Binding* found = links_.bound(node, input);
    if (found == nullptr || found->tensor == nullptr) return std::nullopt;
    const auto known = numbers_of(*found->tensor, source_.filtered, source_.file, 1);
    return known && known->size() == 1 ? std::optional(known->front()) : std::nullopt;
  }

  std::optional<double> zero_point(const Node& node) const {
    return node.input_size() < 3 || node.input(2).empty() ? 0 : number(node, 2);
  }

  /// A pair of steps right after another one, of which ONNX Runtime makes a third.
  void look_at_pairs(const Node& last) {
    const Node* second = only_for(&last, 0, "QuantizeLinear");
    const Node* same = only_for(second, 0, "Identity");
    const Node* first = only_for(same != nullptr ? same : second, 0, read_weights);
    const Node* begin = only_for(first, 0, "QuantizeLinear");
    if (begin == nullptr || !have_one_dtype(*first, last) || !are_unequal(*first, last)) return;
    forms_.add("pairs-unequal", spoken(*begin) + " and " + spoken(*second) +
                                    " round a value twice, by other scales or zero points");
  }

  bool have_one_dtype(const Node& a, const Node& b) const {
    const Binding *left = links_.bound(a, 0), *right = links_.bound(b, 0);
    return left != nullptr && right != nullptr && !left->type.dtype.empty() &&
           left->type.dtype == right->type.dtype;
  }

  bool are_unequal(const Node& a, const Node& b) const {
    constexpr double close = 0.01;
    const auto scale = number(a, 1), other = number(b, 1);
    const auto zero = zero_point(a), other_zero = zero_point(b);
    if (!scale || !other || !zero || !other_zero) return false;
    return *zero != *other_zero || std::abs(*scale - *other) > close * std::abs(*scale);
  }

  static constexpr std::int64_t max_rows = 1 << 20;

  const Graph& graph_;
  const Scope& scope_;
  const GraphLinks& links_;
  const OnnxFile& source_;
  FormList& forms_;
};

} // namespace

void add_weight_forms(const Graph& graph, const Scope& scope, const GraphLinks& links,
                      const OnnxFile& source, FormList& forms) {
  WeightForms(graph, scope, links, source, forms).read();
}

} // namespace model_validator::onnx_format
