#include "introspection/multiply_accumulates.h"

#include "connected_graph/op_type.h"
#include "connected_graph/shapes/symbolic_shapes.h"
#include "introspection/packed_weights.h"

#include <algorithm>
#include <map>
#include <set>

namespace model_validator {
namespace {

using shapes::Shape;
using shapes::Size;
using shapes::Sizes;

Size product(Sizes& sizes, const Shape& shape, std::size_t first = 0) {
  Size count = Size::of(1);
  for (std::size_t i = first; i < shape.size(); ++i) count = sizes.product(count, shape[i]);
  return count;
}

/// More than one operator multiplies: which shapes are whose is not known.
constexpr const char* several = "several";

bool is_convolution(const std::string& type) {
  return type.starts_with("conv") || type == "_convolution";
}

bool is_transposed(const std::string& type) { return type.find("transpose") != std::string::npos; }

bool is_product(const std::string& type) {
  static const std::set<std::string> types{"linear", "matmul", "mm",      "bmm",
                                           "addmm",  "gemm",   "mat_mul", "baddbmm"};
  return types.count(type) != 0;
}

/// `scaled_dot_product_attention`, and the kernels that it is dispatched to.
bool is_attention(const std::string& type) {
  return type.find("scaled_dot_product") != std::string::npos;
}

/// Fused attention of ONNX Runtime, whose heads lie side by side: [batch, elements, width].
bool is_fused_attention(const std::string& type) {
  return type == "group_query_attention" || type == "multi_head_attention";
}

bool multiplies(const std::string& type) { return is_convolution(type) || is_product(type); }

/// The operator of an op that multiplies: itself, or the only one among those it stands for, as
/// when an exporter folded a norm into the convolution before it.
std::string multiplying_type(const Op& op) {
  if (multiplies(op.type) || !op.body) return op.type;
  std::string found;
  for (const Operator& part : *op.body) {
    const std::string type = type_of_schema(part.schema);
    if (!multiplies(type)) continue;
    if (!found.empty()) return several;
    found = type;
  }
  return found;
}

/// The shapes around an op.
class Shapes {
public:
  Shapes(const ConnectedGraph& graph, OpId id) : graph_(graph), id_(id) {
    const auto [begin, end] = boost::in_edges(id, graph.graph());
    for (auto edge = begin; edge != end; ++edge) {
      const Product& product = graph.graph()[*edge];
      const OpId source = boost::source(*edge, graph.graph());
      if (auto shape = known_shape(graph, source, product.output, product.type))
        inputs_.emplace(product.input, std::move(*shape));
    }
  }

  std::optional<Shape> output(std::size_t number = 0) const {
    const Op& op = graph_.op(id_);
    return number < op.outputs.size() ? known_shape(graph_, id_, number, op.outputs[number])
                                      : std::nullopt;
  }
  /// The first input at that position or beyond.
  std::optional<Shape> input(std::size_t position = 0) const {
    const auto found = inputs_.lower_bound(position);
    return found == inputs_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<Shape> input_at(std::size_t position) const {
    const auto found = inputs_.find(position);
    return found == inputs_.end() ? std::nullopt : std::optional(found->second);
  }
  /// The parameter with the most dimensions: the weight, not the bias.
  std::optional<Shape> weight() const {
    std::optional<Shape> largest;
    for (const ParameterId id : graph_.op(id_).parameters) {
      const auto& shape = graph_.parameters()[id].type.shape;
      if (shape && (!largest || shape->size() > largest->size())) largest = stated_shape(*shape);
    }
    return largest;
  }

private:
  const ConnectedGraph& graph_;
  OpId id_;
  std::map<std::size_t, Shape> inputs_;
};

Size of_convolution(Sizes& sizes, const Shapes& around, bool transposed) {
  const auto weight = around.weight();
  const auto image = transposed ? around.input() : around.output();
  if (!weight || weight->empty() || !image) return {};
  return sizes.product(product(sizes, *image), product(sizes, *weight, 1));
}

Size of_packed(Sizes& sizes, const Shapes& around, std::int64_t depth) {
  const auto output = around.output();
  return output ? sizes.product(product(sizes, *output), Size::of(depth)) : Size();
}

/// `addmm` and `baddbmm` take first what they add.
Size of_product(Sizes& sizes, const Shapes& around, const std::string& type) {
  auto input = around.input(type == "addmm" || type == "baddbmm" ? 1 : 0);
  if (!input) input = around.input();
  const auto output = around.output();
  if (!input || input->empty() || !output) return {};
  return sizes.product(product(sizes, *output), input->back());
}

/// Each query with each key, and each resulting weight with each value.
Size of_attention(Sizes& sizes, const Shapes& around) {
  const auto query = around.input_at(0), key = around.input_at(1), value = around.input_at(2);
  if (!query || !key || !value || query->empty() || key->size() < 2 || value->empty()) return {};
  const Size columns = sizes.sum(query->back(), value->back());
  const Size pairs = sizes.product(key->at(key->size() - 2), columns);
  return sizes.product(product(sizes, {query->begin(), query->end() - 1}), pairs);
}

/// The same, of all heads at once: the elements looked at are those of the keys that it returns, or
/// that it was given.
Size of_fused_attention(Sizes& sizes, const Shapes& around) {
  const auto result = around.output(), kept = around.output(1), key = around.input_at(1);
  constexpr std::size_t by_head = 4, side_by_side = 3;
  Size elements;
  if (kept && kept->size() == by_head)
    elements = kept->at(2);
  else if (key && key->size() == side_by_side)
    elements = key->at(1);
  if (!result || !elements.known()) return {};
  return sizes.product(product(sizes, *result), sizes.product(elements, Size::of(2)));
}

Size count_of(Sizes& sizes, const Shapes& around, const std::string& type) {
  if (type == several) return {};
  if (is_attention(type)) return of_attention(sizes, around);
  if (is_fused_attention(type)) return of_fused_attention(sizes, around);
  return is_convolution(type) ? of_convolution(sizes, around, is_transposed(type))
                              : of_product(sizes, around, type);
}

bool multiplies_anything(const Op& op) {
  const std::string type = multiplying_type(op);
  return packed_depth(op) != 0 || multiplies(type) || is_attention(type) ||
         is_fused_attention(type) || type == several;
}

Size count_of_one_run(Sizes& sizes, const ConnectedGraph& graph, OpId id) {
  const Shapes around(graph, id);
  const std::int64_t depth = packed_depth(graph.op(id));
  return depth > 0 ? of_packed(sizes, around, depth)
                   : count_of(sizes, around, multiplying_type(graph.op(id)));
}

/// How often an op runs in all samples of a trace; none where that is not known.
std::optional<std::size_t> runs_of(const Trace* trace, OpId id) {
  return trace != nullptr && id < trace->runs.size() ? trace->runs[id] : std::nullopt;
}

/// Unknown for an op that runs more often in one sample than in another.
Size per_sample(Sizes& sizes, Size count, std::size_t runs, std::size_t samples) {
  const std::size_t divisor = std::max<std::size_t>(samples, 1);
  if (runs % divisor != 0) return {};
  return sizes.product(count, Size::of(static_cast<std::int64_t>(runs / divisor)));
}

} // namespace

MultiplyAccumulates count_multiply_accumulates(const ConnectedGraph& graph, const Trace* trace) {
  MultiplyAccumulates result;
  Sizes sizes = graph.shapes ? graph.shapes->sizes : Sizes();
  Size total = Size::of(0);
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const auto runs = runs_of(trace, id);
    if (!multiplies_anything(graph.op(id)) || runs == 0u) continue;
    Size count = count_of_one_run(sizes, graph, id);
    if (runs) count = per_sample(sizes, count, *runs, trace->samples);
    if (count.known()) total = sizes.sum(total, count);
    if (const auto number = count.number()) {
      result.by_op[id] = static_cast<std::uint64_t>(*number);
      result.total += static_cast<std::uint64_t>(*number);
      continue;
    }
    result.unknown.push_back(id);
    if (count.known()) ++result.of_free_sizes;
  }
  if (result.of_free_sizes > 0 && total.known()) result.for_any_size = sizes.text(total);
  return result;
}

} // namespace model_validator
