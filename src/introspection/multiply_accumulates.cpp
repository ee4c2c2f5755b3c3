#include "introspection/multiply_accumulates.h"

#include "connected_graph/op_type.h"
#include "introspection/packed_weights.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace model_validator {
namespace {

using Shape = std::vector<std::int64_t>;
using Known = std::optional<std::uint64_t>;

Known product(const Shape& shape, std::size_t first = 0) {
  std::uint64_t count = 1;
  for (std::size_t i = first; i < shape.size(); ++i) {
    const auto size = static_cast<std::uint64_t>(shape[i]);
    if (shape[i] < 0 || (size > 0 && count > std::numeric_limits<std::uint64_t>::max() / size))
      return std::nullopt;
    count *= size;
  }
  return count;
}

Known times(const Known& a, const Known& b) {
  if (!a || !b || (*a > 0 && *b > std::numeric_limits<std::uint64_t>::max() / *a))
    return std::nullopt;
  return *a * *b;
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
  Shapes(const ConnectedGraph& graph, OpId id) : graph_(graph), op_(graph.op(id)) {
    const auto [begin, end] = boost::in_edges(id, graph.graph());
    for (auto edge = begin; edge != end; ++edge) {
      const Product& product = graph.graph()[*edge];
      if (product.type.shape) inputs_.emplace(product.input, *product.type.shape);
    }
  }

  std::optional<Shape> output() const {
    return op_.outputs.empty() ? std::nullopt : op_.outputs.front().shape;
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
    for (const ParameterId id : op_.parameters) {
      const auto& shape = graph_.parameters()[id].type.shape;
      if (shape && (!largest || shape->size() > largest->size())) largest = shape;
    }
    return largest;
  }

private:
  const ConnectedGraph& graph_;
  const Op& op_;
  std::map<std::size_t, Shape> inputs_;
};

Known of_convolution(const Shapes& shapes, bool transposed) {
  const auto weight = shapes.weight();
  const auto around = transposed ? shapes.input() : shapes.output();
  if (!weight || weight->empty() || !around) return std::nullopt;
  return times(product(*around), product(*weight, 1));
}

Known of_packed(const Shapes& shapes, std::int64_t depth) {
  const auto output = shapes.output();
  return output ? times(product(*output), static_cast<std::uint64_t>(depth)) : std::nullopt;
}

/// `addmm` and `baddbmm` take first what they add.
Known of_product(const Shapes& shapes, const std::string& type) {
  auto input = shapes.input(type == "addmm" || type == "baddbmm" ? 1 : 0);
  if (!input) input = shapes.input();
  const auto output = shapes.output();
  if (!input || input->empty() || !output || input->back() < 0) return std::nullopt;
  return times(product(*output), static_cast<std::uint64_t>(input->back()));
}

/// Each query with each key, and each resulting weight with each value.
Known of_attention(const Shapes& shapes) {
  const auto query = shapes.input_at(0), key = shapes.input_at(1), value = shapes.input_at(2);
  if (!query || !key || !value || query->empty() || key->size() < 2 || value->empty())
    return std::nullopt;
  const Shape pairs{key->at(key->size() - 2), query->back() + value->back()};
  if (query->back() < 0 || value->back() < 0) return std::nullopt;
  return times(product({query->begin(), query->end() - 1}), product(pairs));
}

/// The sizes that a file leaves free taken for one: what is computed for one element of them.
Known for_one_element(const Shapes& shapes, const Op& op, const std::string& type) {
  auto output = shapes.output();
  if (!output) return std::nullopt;
  for (std::int64_t& size : *output) size = std::max<std::int64_t>(size, size < 0 ? 1 : 0);
  if (const std::int64_t depth = packed_depth(op); depth > 0)
    return times(product(*output), static_cast<std::uint64_t>(depth));
  const auto weight = shapes.weight();
  if (!is_product(type) || !weight || weight->size() != 2 || output->empty()) return std::nullopt;
  return times(product({output->begin(), output->end() - 1}), product(*weight));
}

Known count_of(const Shapes& shapes, const std::string& type) {
  if (type == several) return std::nullopt;
  if (is_attention(type)) return of_attention(shapes);
  return is_convolution(type) ? of_convolution(shapes, is_transposed(type))
                              : of_product(shapes, type);
}

/// How often an op runs in all samples of a trace; none where that is not known.
std::optional<std::size_t> runs_of(const Trace* trace, OpId id) {
  return trace != nullptr && id < trace->runs.size() ? trace->runs[id] : std::nullopt;
}

/// None for an op that runs more often in one sample than in another.
Known per_sample(const Known& count, std::size_t runs, std::size_t samples) {
  const std::size_t divisor = std::max<std::size_t>(samples, 1);
  return runs % divisor == 0 ? times(count, runs / divisor) : std::nullopt;
}

} // namespace

MultiplyAccumulates count_multiply_accumulates(const ConnectedGraph& graph, const Trace* trace) {
  MultiplyAccumulates result;
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const std::string type = multiplying_type(graph.op(id));
    const std::int64_t depth = packed_depth(graph.op(id));
    if (depth == 0 && !multiplies(type) && !is_attention(type) && type != several) continue;
    const auto runs = runs_of(trace, id);
    if (runs == 0u) continue;
    const Shapes shapes(graph, id);
    Known count = depth > 0 ? of_packed(shapes, depth) : count_of(shapes, type);
    if (runs) count = per_sample(count, *runs, trace->samples);
    if (!count) {
      result.unknown.push_back(id);
      result.for_one_element += for_one_element(shapes, graph.op(id), type).value_or(0);
      continue;
    }
    result.by_op[id] = *count;
    result.total += *count;
  }
  if (result.for_one_element > 0) result.for_one_element += result.total;
  return result;
}

} // namespace model_validator
