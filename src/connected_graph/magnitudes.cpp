#include "connected_graph/magnitudes.h"

#include "connected_graph/attributes.h"
#include "connected_graph/operand_parameter.h"
#include "connected_graph/operators.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/dtype.h>
#include <model_validator/data/float16.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

namespace model_validator {
namespace {

using Known = std::optional<Magnitude>;

/// How many deviations the largest of some ten thousand numbers is from their mean.
constexpr double farthest_deviations = 4;
/// A divisor whose mean is fewer deviations from zero may be near zero.
constexpr double steady_deviations = 3;
/// Constants beyond this that are added or joined are sentinels: that is not computing.
constexpr double greatest_addend = 3e4;
constexpr double greatest_exponent = 88; ///< of float32

bool holds_reals(std::string_view dtype) {
  const auto known = dtype_named(dtype);
  return known && is_floating(*known);
}

double squares_of(const Magnitude& a) { return a.mean * a.mean + a.deviation * a.deviation; }
double beyond_mean(const Magnitude& a) { return std::max(0.0, a.peak - std::abs(a.mean)); }
double upper(const Magnitude& a) { return std::min(a.high, a.mean + beyond_mean(a)); }

Magnitude usual(double mean, double deviation) {
  return {mean, deviation, std::abs(mean) + farthest_deviations * deviation};
}
Magnitude number(double value) { return {value, 0, std::abs(value), value, value}; }
Magnitude between(double low, double high) {
  return {(low + high) / 2, (high - low) / 4, std::max(std::abs(low), std::abs(high)), low, high};
}

Magnitude not_negative(Magnitude a) {
  a.low = std::max(a.low, 0.0);
  return a;
}

/// Of the elements of a normal distribution that are above zero, the others being zero.
Magnitude positive_part(const Magnitude& a) {
  const double s = std::max(a.deviation, 1e-30);
  const double z = a.mean / s;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double share = std::erfc(-z / std::numbers::sqrt2) / 2;
  const double mean = a.mean * share + s * density;
  const double squares = squares_of(a) * share + a.mean * s * density;
  return not_negative({mean, std::sqrt(std::max(0.0, squares - mean * mean)),
                       std::max(0.0, upper(a)), a.low, std::max(0.0, a.high)});
}

/// How far from zero an element is at most.
double farthest(const Magnitude& a) { return std::max(std::abs(a.low), std::abs(a.high)); }

Magnitude square(const Magnitude& a) {
  const double variance = a.deviation * a.deviation;
  return not_negative({squares_of(a),
                       std::sqrt(2 * variance * variance + 4 * a.mean * a.mean * variance),
                       a.peak * a.peak, 0, farthest(a) * farthest(a)});
}

Magnitude magnitude(const Magnitude& a) {
  const double mean = std::max(std::abs(a.mean), 0.8 * a.deviation);
  const double deviation = std::sqrt(std::max(0.0, squares_of(a) - mean * mean));
  return not_negative({mean, deviation, a.peak, 0, farthest(a)});
}

Magnitude scaled(Magnitude a, double factor) {
  if (factor == 0) return number(0);
  if (factor < 0) std::swap(a.low, a.high);
  for (double* each : {&a.mean, &a.low, &a.high}) *each *= factor;
  a.deviation *= std::abs(factor);
  a.peak *= std::abs(factor);
  return a;
}

bool is_number(const Magnitude& a) { return a.low == a.high; }
bool is_sentinel(const Magnitude& a) { return is_number(a) && a.peak > greatest_addend; }

Magnitude product(const Magnitude& a, const Magnitude& b) {
  if (is_number(b)) return scaled(a, b.mean);
  if (is_number(a)) return scaled(b, a.mean);
  const double mean = a.mean * b.mean;
  const double squares = squares_of(a) * squares_of(b);
  Magnitude made{mean, std::sqrt(std::max(0.0, squares - mean * mean)), a.peak * b.peak};
  if (a.low >= 0 && b.low >= 0) made.low = 0;
  if (const double reach = farthest(a) * farthest(b); std::isfinite(reach)) {
    made.low = std::max(made.low, -reach);
    made.high = reach;
  }
  return made;
}

Magnitude sum(const Magnitude& a, const Magnitude& b, double sign) {
  Magnitude made{a.mean + sign * b.mean,
                 std::sqrt(a.deviation * a.deviation + b.deviation * b.deviation)};
  made.peak = std::abs(made.mean) +
              std::sqrt(beyond_mean(a) * beyond_mean(a) + beyond_mean(b) * beyond_mean(b));
  made.low = sign > 0 ? a.low + b.low : a.low - b.high;
  made.high = sign > 0 ? a.high + b.high : a.high - b.low;
  return made;
}

Known added(const Magnitude& a, const Magnitude& b, double sign) {
  return is_sentinel(a) || is_sentinel(b) ? std::nullopt : Known(sum(a, b, sign));
}

/// Of so many elements each, or more: where sizes are not known, they count as one. That bounds it
/// on no side but that of zero.
Magnitude sum_of(const Magnitude& a, double count) {
  Magnitude made = count == 1 ? Magnitude{a.mean, a.deviation, a.peak}
                              : usual(count * a.mean, std::sqrt(count) * a.deviation);
  made.peak = std::max(made.peak, std::min(a.peak, std::abs(a.mean) + beyond_mean(a)));
  if (a.low >= 0) made.low = 0;
  return made;
}

Magnitude mean_of(const Magnitude& a, double count) {
  Magnitude made = usual(a.mean, a.deviation / std::sqrt(count));
  made.low = a.low;
  made.high = a.high;
  return made;
}

/// Of so many elements each: the logarithms of their sizes are summed. That of a normal number
/// around zero deviates by 1.1 around one that is 0.64 below that of the deviation.
Magnitude product_of(const Magnitude& a, double count) {
  const double squares = std::max(squares_of(a), 1e-30);
  const double around_zero = a.deviation * a.deviation / squares;
  const double middle = count * (std::log(squares) / 2 - 0.64 * around_zero);
  const double spread = 1.1 * std::sqrt(count * around_zero);
  const auto size_at = [](double logarithm) {
    return std::exp(std::min(logarithm, greatest_exponent));
  };
  Magnitude made{size_at(middle), size_at(middle + spread), 0};
  made.peak = std::min(size_at(middle + farthest_deviations * spread),
                       size_at(count * std::log(std::max(a.peak, 1e-30))));
  made.deviation = std::min(made.deviation, made.peak);
  return a.low >= 0 ? not_negative(made) : made;
}

/// None where the divisor may be near zero.
Known quotient(const Magnitude& a, const Magnitude& b) {
  if (b.mean == 0) return std::nullopt;
  if (std::abs(b.mean) >= steady_deviations * b.deviation) return scaled(a, 1 / b.mean);
  if (b.low <= 0) return std::nullopt;
  Magnitude made = scaled(a, 1 / b.mean);
  made.peak = a.peak / std::max(b.low, b.mean / 4);
  return made;
}

Magnitude clamped(Magnitude a, double low, double high) {
  a.mean = std::clamp(a.mean, low, high);
  a.peak = std::min(a.peak, std::max(std::abs(low), std::abs(high)));
  a.deviation = std::min(a.deviation, a.peak);
  a.low = std::max(a.low, low);
  a.high = std::min(a.high, high);
  return a;
}

Magnitude exponential(const Magnitude& a) {
  const double peak = std::exp(std::min(upper(a), greatest_exponent));
  const double mean =
      std::min(peak, std::exp(std::min(a.mean + a.deviation * a.deviation / 2, greatest_exponent)));
  return not_negative(
      {mean, std::min(peak / 2, mean * 2), peak, std::exp(a.low), std::exp(a.high)});
}

Known square_root(const Magnitude& a) {
  if (a.low < 0) return std::nullopt;
  const double mean = std::sqrt(std::max(0.0, a.mean));
  const double deviation = mean > 0 ? a.deviation / (2 * mean) : 0;
  Magnitude made = not_negative({mean, std::min(deviation, mean), std::sqrt(a.peak)});
  made.high = std::sqrt(a.high);
  return made;
}

double softplus_at(double value) { return value > 30 ? value : std::log1p(std::exp(value)); }

Known softplus(const Magnitude& a) {
  const double slope = 1 / (1 + std::exp(-a.mean));
  return not_negative({softplus_at(a.mean), a.deviation * slope, softplus_at(upper(a))});
}

/// Of a quotient by a number: as large as the divisor at most.
Known remainder(const Magnitude& a, const Magnitude& b) {
  if (b.deviation != 0 || b.mean == 0) return std::nullopt;
  const double largest = std::abs(b.mean);
  return between(a.low < 0 ? -largest : 0, largest);
}

Known power(const Magnitude& a, double exponent) {
  if (exponent == 0.5) return square_root(a);
  if (exponent == 1) return a;
  if (exponent == 2) return square(a);
  if (exponent == -0.5 || exponent == -1) {
    const Known root = exponent == -1 ? a : square_root(a);
    return root ? quotient(number(1), *root) : std::nullopt;
  }
  if (exponent < 0) return std::nullopt;
  const double usual_size = std::pow(std::sqrt(squares_of(a)), exponent);
  return Magnitude{0, 2 * usual_size, std::pow(a.peak, exponent)};
}

/// What is known of the numbers of a stored tensor.
Magnitude of_numbers(const std::vector<double>& numbers) {
  Magnitude found = number(0);
  double squares = 0;
  for (const double each : numbers) {
    found.mean += each;
    squares += each * each;
    found.peak = std::max(found.peak, std::abs(each));
  }
  const auto count = static_cast<double>(std::max<std::size_t>(numbers.size(), 1));
  found.mean /= count;
  found.deviation = std::sqrt(std::max(0.0, squares / count - found.mean * found.mean));
  const auto [low, high] = std::ranges::minmax_element(numbers);
  if (low != numbers.end()) {
    found.low = *low;
    found.high = *high;
  }
  return found;
}

/// `conv2d` is `conv`, `_softmax` is `softmax`.
std::string_view family_of(std::string_view type) {
  while (type.starts_with('_')) type.remove_prefix(1);
  if (type.size() > 2 && type.ends_with('d') && type[type.size() - 2] >= '1' &&
      type[type.size() - 2] <= '3')
    type.remove_suffix(2);
  return type;
}

/// Operators of one operand.
struct UnaryRow {
  std::string_view names;
  Known (*of)(const Magnitude& operand);
};

constexpr auto unary_rows = std::to_array<UnaryRow>({
    {"relu gelu silu swish mish hardswish elu selu celu leaky_relu prelu rrelu thresholded_relu "
     "logaddexp",
     [](const Magnitude& a) -> Known { return positive_part(a); }},
    {"relu6", [](const Magnitude& a) -> Known { return clamped(positive_part(a), 0, 6); }},
    {"softplus", softplus},
    {"neg negative", [](const Magnitude& a) -> Known { return scaled(a, -1); }},
    {"abs", [](const Magnitude& a) -> Known { return magnitude(a); }},
    {"square", [](const Magnitude& a) -> Known { return square(a); }},
    {"exp expm1", [](const Magnitude& a) -> Known { return exponential(a); }},
    {"cosh sinh", [](const Magnitude& a) -> Known { return exponential(magnitude(a)); }},
    {"sqrt", square_root},
    {"rsqrt", [](const Magnitude& a) { return power(a, -0.5); }},
    {"reciprocal", [](const Magnitude& a) { return power(a, -1); }},
    {"log log2 log10 log1p",
     [](const Magnitude& a) -> Known { return usual(0, std::log1p(a.peak) / 2 + 1); }},
    {"log_softmax logsumexp logsigmoid log_sigmoid logcumsumexp",
     [](const Magnitude& a) -> Known { return usual(0, a.deviation + 1); }},
});

template <class Rows, class Of> std::map<std::string_view, Of> read_table(const Rows& rows) {
  std::map<std::string_view, Of> read;
  for (const auto& row : rows)
    for (const std::string_view name : words_in(row.names)) read.emplace(name, row.of);
  return read;
}

using Unary = Known (*)(const Magnitude&);
const std::map<std::string_view, Unary>& functions() {
  static const auto table = read_table<decltype(unary_rows), Unary>(unary_rows);
  return table;
}

/// Operators of two operands.
using Binary = Known (*)(const Magnitude& a, const Magnitude& b);
struct BinaryRow {
  std::string_view names;
  Binary of;
};
constexpr auto binary_rows = std::to_array<BinaryRow>({
    {"add", [](const Magnitude& a, const Magnitude& b) { return added(a, b, 1); }},
    {"sub", [](const Magnitude& a, const Magnitude& b) { return added(a, b, -1); }},
    {"rsub", [](const Magnitude& a, const Magnitude& b) { return added(b, a, -1); }},
    {"mul outer ger",
     [](const Magnitude& a, const Magnitude& b) -> Known { return product(a, b); }},
    {"div", quotient},
    {"remainder fmod", remainder},
    {"pow",
     [](const Magnitude& a, const Magnitude& b) -> Known {
       return b.deviation == 0 ? power(a, b.mean) : std::nullopt;
     }},
});

/// How many elements there are but for sizes that are not known, and how many of these.
struct Count {
  double elements = 1;
  std::size_t unknown = 0;
};

std::optional<Count> count_of(const TensorType& type) {
  if (!type.shape) return std::nullopt;
  Count count;
  for (const std::int64_t size : *type.shape)
    if (size < 0)
      ++count.unknown;
    else
      count.elements *= static_cast<double>(size);
  return count;
}

class Estimate {
public:
  Estimate(const ConnectedGraph& graph, const WeightSampler& sample)
      : graph_(graph), found_(graph.op_count()), origins_(graph.op_count()),
        stored_(graph.parameters().size()), numbers_(graph.parameters().size()) {
    std::vector<ParameterId> wanted;
    std::vector<std::string> names;
    for (ParameterId id = 0; id < graph.parameters().size(); ++id) {
      if (!holds_reals(graph.parameters()[id].type.dtype)) continue;
      wanted.push_back(id);
      names.push_back(graph.parameters()[id].path);
    }
    std::vector<OpId> constants;
    for (OpId id = 0; id < graph.op_count(); ++id)
      if (std::string name = constant_name(id); !name.empty()) {
        constants.push_back(id);
        names.push_back(std::move(name));
      }
    WeightSamples samples = sample(names);
    samples.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!samples[i] || samples[i]->empty()) continue;
      const Magnitude known = of_numbers(*samples[i]);
      if (i >= wanted.size()) {
        constants_.emplace(constants[i - wanted.size()], known);
        continue;
      }
      stored_[wanted[i]] = known;
      numbers_[wanted[i]] = std::move(*samples[i]);
    }
  }

  Magnitudes run() {
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      found_[id] = estimate(id);
      if (found_[id] && !std::isfinite(found_[id]->peak)) found_[id].reset();
      origins_[id] = origin_of(id);
    }
    return {std::move(found_), std::move(stored_)};
  }

private:
  struct Operand {
    Known magnitude;
    OpId source = none;
    const TensorType* type = nullptr; ///< null for a number
  };

  Known estimate(OpId id) {
    const Op& op = graph_.op(id);
    if (op.kind == OpKind::control_flow || op.kind == OpKind::query) return std::nullopt;
    if (op.kind == OpKind::input) return of_input(id);
    if (op.kind == OpKind::constant) return of_constant(id);
    take_operands(id);
    const std::string_view family = family_of(op.type);
    if (const auto* row = row_of(families(), family)) return (this->**row)(id);
    if (operands_.empty() || !first()) return std::nullopt;
    if (const auto* row = row_of(functions(), family)) return (**row)(*first());
    return of_arithmetic(op, family);
  }

  using Family = Known (Estimate::*)(OpId) const;
  template <class Of> using Table = std::map<std::string_view, Of>;
  template <class Of> static const Of* row_of(const Table<Of>& table, std::string_view family) {
    const auto found = table.find(family);
    return found == table.end() ? nullptr : &found->second;
  }
  static const Table<Family>& families();

  static Known of_one(double value) {
    return std::abs(value) > max_float16 ? std::nullopt : Known(number(value));
  }

  /// The number that stands among the arguments; a list is of sizes or axes.
  static Known of_arguments(const Op& op) {
    for (const Attribute& each : op.attributes) {
      if (each.name == "alpha" || each.name == "axis" || each.name == "dim") continue;
      if (const auto* real = std::get_if<double>(&each.value)) return of_one(*real);
      if (const auto* whole = std::get_if<std::int64_t>(&each.value))
        return of_one(static_cast<double>(*whole));
    }
    return std::nullopt;
  }

  /// As a file of ONNX calls the tensor of a node `Constant`; empty for another op.
  std::string constant_name(OpId id) const {
    const auto [edge, end] = boost::out_edges(id, graph_.graph());
    const bool is_tensor =
        graph_.op(id).kind == OpKind::constant && graph_.op(id).attributes.empty();
    return is_tensor && edge != end ? graph_.graph()[*edge].name : std::string();
  }

  Known of_constant(OpId id) const {
    const auto found = constants_.find(id);
    return found == constants_.end() ? of_arguments(graph_.op(id)) : Known(found->second);
  }

  Known of_input(OpId id) const {
    const auto low = number_of(graph_.op(id), "low"); // as it was given
    const auto high = number_of(graph_.op(id), "high");
    if (low && high) return between(*low, *high);
    std::string dtype;
    if (const auto& outputs = graph_.op(id).outputs; !outputs.empty()) dtype = outputs[0].dtype;
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph_.graph())))
      if (dtype.empty()) dtype = graph_.graph()[edge].type.dtype;
    return dtype.empty() || holds_reals(dtype) ? Known(usual(0, 1)) : std::nullopt;
  }

  void take_operands(OpId id) {
    operands_.clear();
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph_.graph()))) {
      const Product& product = graph_.graph()[edge];
      const OpId source = boost::source(edge, graph_.graph());
      if (operands_.size() <= product.input) operands_.resize(product.input + 1);
      operands_[product.input] = {result_of(source, product.output), source, &product.type};
    }
    const Op& op = graph_.op(id);
    if (op.kind == OpKind::module) return;
    take_arguments(op);
    const std::vector<std::size_t> places = operands_of_parameters(graph_, id);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] == none) continue;
      if (operands_.size() <= places[i]) operands_.resize(places[i] + 1);
      Operand& operand = operands_[places[i]];
      const ParameterId parameter = op.parameters[i];
      if (operand.source == none)
        operand = {stored_[parameter], none, &graph_.parameters()[parameter].type};
    }
  }

  /// Where an op picks elements, its second result is their places.
  Known result_of(OpId source, std::size_t output) const {
    constexpr auto picking = word_array<"topk sort max min median mode kthvalue">;
    if (output == 0 || !contains(picking, graph_.op(source).type)) return found_[source];
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(source, graph_.graph())))
      if (const Product& product = graph_.graph()[edge]; product.input == 0)
        if (const auto places = size_along(graph_.op(source), product.type, -1))
          return between(0, *places - 1);
    return std::nullopt;
  }

  /// Constants that an ONNX file has among a node's inputs: `input0`.
  void take_arguments(const Op& op) {
    for (const Attribute& each : op.attributes) {
      const auto* real = std::get_if<double>(&each.value);
      if (real == nullptr || each.name.size() != 6 || !each.name.starts_with("input")) continue;
      const auto at = static_cast<std::size_t>(each.name.back() - '0');
      if (at > 2) continue;
      if (operands_.size() <= at) operands_.resize(at + 1);
      operands_[at].magnitude = of_one(*real);
    }
  }

  const Known& first() const { return operands_[0].magnitude; }
  /// The second operand, or the number that stands for it.
  Known second(const Op& op) const {
    if (operands_.size() > 1) return operands_[1].magnitude;
    return of_arguments(op);
  }

  const std::vector<double>* named(OpId id, std::string_view name, std::size_t number) const {
    const Op& op = graph_.op(id);
    for (std::size_t i = 0; i < op.parameters.size(); ++i) {
      const bool is_named = graph_.parameters()[op.parameters[i]].name == name;
      const bool stands_there = op.kind != OpKind::module && i < op.parameter_inputs.size() &&
                                op.parameter_inputs[i] == number;
      if (!is_named && !stands_there) continue;
      const std::vector<double>& numbers = numbers_[op.parameters[i]];
      return numbers.empty() ? nullptr : &numbers;
    }
    return nullptr;
  }

  /// The stored operand that a layer multiplies with: the first of two or more dimensions.
  ParameterId weight_of(OpId id) const {
    for (const ParameterId each : graph_.op(id).parameters)
      if (const auto& shape = graph_.parameters()[each].type.shape; shape && shape->size() > 1)
        return each;
    return none;
  }
  Known of_weight(OpId id) const {
    const ParameterId weight = weight_of(id);
    return weight == none ? std::nullopt : stored_[weight];
  }

  Known of_layer(OpId id) const {
    const ParameterId weight = weight_of(id);
    Known made = weight == none ? of_product(id) : of_weighted(id, weight);
    if (!made || (weight == none && !starts_with_addend(id))) return made;
    for (const ParameterId each : graph_.op(id).parameters)
      if (const auto& shape = graph_.parameters()[each].type.shape;
          each != weight && shape && shape->size() == 1)
        if (const Known& bias = stored_[each]) made = sum(*made, *bias, 1);
    return made;
  }

  Known of_weighted(OpId id, ParameterId weight) const {
    const Known& numbers = stored_[weight];
    const Operand* computed = nullptr;
    for (const Operand& each : operands_)
      if (each.source != none && computed == nullptr) computed = &each;
    if (!numbers || computed == nullptr || !computed->magnitude) return std::nullopt;
    return sum_of(product(*computed->magnitude, *numbers), terms_of(id, weight));
  }

  /// How many products each element of a layer is the sum of.
  double terms_of(OpId id, ParameterId weight) const {
    const Op& op = graph_.op(id);
    const auto& shape = *graph_.parameters()[weight].type.shape;
    double all = 1;
    for (const std::int64_t size : shape)
      all *= static_cast<double>(std::max<std::int64_t>(size, 1));
    const auto share = [&](std::size_t axis) {
      return all / static_cast<double>(std::max<std::int64_t>(shape[axis], 1));
    };
    const std::string_view family = family_of(op.type);
    if (family == "conv_transpose") return share(1);
    if (family == "conv") return share(0);
    const bool of_onnx = op.schema.starts_with("onnx::");
    const bool outputs_first = of_onnx ? is_true(op.attributes, "transB")
                                       : op.kind == OpKind::module || family == "linear";
    if (outputs_first) return share(0);
    return static_cast<double>(shape[shape.size() - 2]);
  }

  /// `addmm(addend, a, b)`.
  bool starts_with_addend(OpId id) const {
    const std::string_view family = family_of(graph_.op(id).type);
    return family == "baddbmm" || family == "addmm";
  }

  /// Of two computed operands; of one with itself, an element may be a sum of squares.
  Known of_product(OpId id) const {
    const std::string_view family = family_of(graph_.op(id).type);
    const std::size_t at = starts_with_addend(id) ? 1 : 0;
    if (operands_.size() < at + 2) return std::nullopt;
    const Operand& a = operands_[at];
    const Operand& b = operands_[at + 1];
    if (!a.magnitude || !b.magnitude) return std::nullopt;
    const double terms = family == "einsum" ? contracted(graph_.op(id), a.type) : last_size(a.type);
    Magnitude made = sum_of(product(*a.magnitude, *b.magnitude), terms);
    if (a.source != none && b.source != none && origins_[a.source] == origins_[b.source])
      made.peak = std::max(made.peak, terms * squares_of(*a.magnitude));
    return made;
  }

  static double last_size(const TensorType* type) {
    if (type == nullptr || !type->shape || type->shape->empty()) return 1;
    return static_cast<double>(std::max<std::int64_t>(type->shape->back(), 1));
  }

  /// The product of the sizes that an einsum sums over: of letters that its result lacks.
  static double contracted(const Op& op, const TensorType* first) {
    const auto* equation = find_attribute<std::string>(op.attributes, "equation");
    if (equation == nullptr || first == nullptr || !first->shape) return 1;
    std::string_view result = *equation;
    std::string letters(take_before(',', result));
    std::erase(letters, ' ');
    if (letters.size() != first->shape->size()) return 1;
    const std::string_view kept = result.substr(std::min(result.find('>'), result.size()));
    double terms = 1;
    for (std::size_t axis = 0; axis < letters.size(); ++axis)
      if (kept.find(letters[axis]) == std::string_view::npos)
        terms *= static_cast<double>(std::max<std::int64_t>((*first->shape)[axis], 1));
    return terms;
  }

  /// The op that made the values, back over what only moves them.
  OpId origin_of(OpId id) const {
    if (!does(graph_.op(id).type, rearranges | Does::cuts | Does::converts)) return id;
    const OpId before = op_at_operand(graph_, id, 0);
    return before == none ? id : origins_[before];
  }

  static std::optional<double> number_of(const Op& op, std::string_view name) {
    if (const auto* real = find_attribute<double>(op.attributes, name)) return *real;
    const auto whole = integer_of(op.attributes, name);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
  }

  /// Numbers in a row, as many as its result has, or up to where it ends.
  Known of_row(OpId id) const {
    const Op& op = graph_.op(id);
    if (const auto end = number_of(op, "end"); end && *end > 0)
      return between(std::min(*end, number_of(op, "start").value_or(0)), *end);
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph_.graph())))
      if (const auto count = count_of(graph_.graph()[edge].type); count && count->unknown == 0)
        return between(0, std::max(0.0, count->elements - 1));
    return std::nullopt;
  }

  /// How far an index may reach.
  Known of_place(OpId id) const {
    const double places = operands_.empty() ? 1 : reduced(id);
    return places > 1 ? Known(between(0, places - 1)) : std::nullopt;
  }

  Known of_attention(OpId /*id*/) const {
    return operands_.size() > 2 ? operands_[2].magnitude : std::nullopt;
  }

  Known of_norm(OpId id) const {
    Magnitude made = usual(0, 1);
    if (const auto* weight = named(id, "weight", 1)) made = product(made, of_numbers(*weight));
    if (const auto* bias = named(id, "bias", 2)) made = sum(made, of_numbers(*bias), 1);
    return made;
  }

  Known of_batch_norm(OpId id) const {
    if (operands_.empty() || !first()) return std::nullopt;
    const auto* mean = named(id, "running_mean", 3);
    const auto* variance = named(id, "running_var", 4);
    if (mean == nullptr || variance == nullptr || mean->size() != variance->size())
      return std::nullopt;
    // No layer has seen nothing but one number: the weights are not in the file that was given.
    if (std::ranges::all_of(*variance, [](double each) { return each == 0; })) return std::nullopt;
    const auto* weight = named(id, "weight", 1);
    std::vector<double> factors;
    for (std::size_t i = 0; i < variance->size(); ++i)
      factors.push_back((weight != nullptr && i < weight->size() ? (*weight)[i] : 1) /
                        std::sqrt(std::max((*variance)[i], 0.0) + 1e-5));
    Magnitude made = product(sum(*first(), of_numbers(*mean), -1), of_numbers(factors));
    if (const auto* bias = named(id, "bias", 2)) made = sum(made, of_numbers(*bias), 1);
    return made;
  }

  /// Into how many elements of what an op is given each of its results goes: how many it sums.
  double reduced(OpId id) const {
    const auto before = operands_[0].type == nullptr ? std::nullopt : count_of(*operands_[0].type);
    std::optional<Count> after;
    if (const auto& outputs = graph_.op(id).outputs; !outputs.empty()) after = count_of(outputs[0]);
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph_.graph())))
      if (!after) after = count_of(graph_.graph()[edge].type);
    if (!before || !after || before->unknown != after->unknown || after->elements < 1) return 1;
    return std::max(1.0, before->elements / after->elements);
  }

  /// The size of the axis that an op works along; none where it is not known.
  static std::optional<double> size_along(const Op& op, const TensorType& type,
                                          std::optional<std::int64_t> axis = std::nullopt) {
    for (const std::string_view name : {"dim", "axis"})
      if (const auto named = integer_of(op.attributes, name)) axis = named;
    if (!type.shape || !axis) return std::nullopt;
    const auto rank = static_cast<std::int64_t>(type.shape->size());
    if (*axis < 0) *axis += rank;
    if (*axis < 0 || *axis >= rank) return std::nullopt;
    const std::int64_t size = (*type.shape)[static_cast<std::size_t>(*axis)];
    return size < 1 ? std::nullopt : std::optional(static_cast<double>(size));
  }
  std::optional<double> along(const Op& op) const {
    if (operands_.empty() || operands_[0].type == nullptr) return std::nullopt;
    return size_along(op, *operands_[0].type);
  }

  Known of_share(OpId /*id*/) const { return between(0, 1); }
  Known of_saturating(OpId /*id*/) const {
    const bool is_known = !operands_.empty() && first();
    return is_known ? clamped(*first(), -1, 1) : between(-1, 1);
  }

  /// Numbers that sum to one.
  Known of_softmax(OpId id) const {
    Magnitude made = between(0, 1);
    if (const auto count = along(graph_.op(id))) made.mean = made.deviation = 1 / *count;
    return made;
  }

  Known of_reduction(OpId id) const {
    if (operands_.empty() || !first()) return std::nullopt;
    const std::string_view family = family_of(graph_.op(id).type);
    const Magnitude& a = *first();
    const double count = reduced(id);
    if (family == "sum") return sum_of(a, count);
    if (family == "mean") return mean_of(a, count);
    if (family == "cumsum") return sum_of(a, along(graph_.op(id)).value_or(1));
    if (family == "prod") return product_of(a, count);
    if (family == "cumprod") return product_of(a, along(graph_.op(id)).value_or(1));
    if (family == "sum_square") return sum_of(square(a), count);
    if (family == "norm" || family == "vector_norm" || family == "linalg_vector_norm")
      return square_root(sum_of(square(a), count));
    const Magnitude variance = mean_of(square(usual(0, a.deviation)), count);
    if (family == "var") return not_negative(variance);
    if (family == "std") return square_root(not_negative(variance));
    return std::nullopt;
  }

  Known of_arithmetic(const Op& op, std::string_view family) const {
    if (does(op.type, moves | Does::converts | Does::drops_out | Does::averages |
                          Does::interpolates | Does::bounds))
      return first();
    static const auto table = read_table<decltype(binary_rows), Binary>(binary_rows);
    const Binary* of = row_of(table, family);
    const Known other = second(op);
    if (of == nullptr || !other) return std::nullopt;
    if (family == "div" && divides_by_own_norm()) return between(-1, 1);
    const bool with_itself = operands_.size() > 1 && operands_[0].source != none &&
                             operands_[0].source == operands_[1].source;
    if (with_itself && family == "sub") return number(0);
    return with_itself && family == "mul" ? square(*first()) : (*of)(*first(), *other);
  }

  /// Whether the divisor is the norm of what is divided, which may be kept from zero.
  bool divides_by_own_norm() const {
    if (operands_.size() < 2 || operands_[0].source == none) return false;
    constexpr auto norms = word_array<"norm vector_norm linalg_vector_norm">;
    OpId divisor = operands_[1].source;
    for (int ops = 0; ops < 4 && divisor != none; ++ops) {
      const std::string& type = graph_.op(divisor).type;
      if (contains(norms, type)) return op_at_operand(graph_, divisor, 0) == operands_[0].source;
      if (!does(type, rearranges | Does::bounds | Does::converts) && type != "add") return false;
      divisor = op_at_operand(graph_, divisor, 0);
    }
    return false;
  }

  Known of_clamp(OpId id) const {
    if (operands_.empty() || !first()) return std::nullopt;
    const Op& op = graph_.op(id);
    const auto bound = [&](std::string_view name, std::size_t at, double otherwise) {
      if (at < operands_.size() && operands_[at].magnitude) return operands_[at].magnitude->mean;
      return number_of(op, name).value_or(otherwise);
    };
    const double low = bound("min", 1, first()->low);
    const double high = bound("max", 2, first()->high);
    return low <= high ? Known(clamped(*first(), low, high)) : std::nullopt;
  }

  /// Of several operands, the largest; a sentinel says nothing of the others.
  Known of_joined(OpId /*id*/) const {
    Known made;
    for (const Operand& each : operands_)
      if (each.magnitude && !is_sentinel(*each.magnitude) &&
          (!made || each.magnitude->peak > made->peak))
        made = each.magnitude;
    if (made) made->low = -std::numeric_limits<double>::infinity();
    if (made) made->high = std::numeric_limits<double>::infinity();
    return made;
  }

  /// What is around it is one number, or some of it again.
  Known of_padded(OpId id) const {
    if (operands_.empty() || !first()) return std::nullopt;
    const Known around = number_around(id);
    if (!around || is_sentinel(*around)) return first();
    Magnitude made = *first();
    made.peak = std::max(made.peak, around->peak);
    made.low = std::min(made.low, around->low);
    made.high = std::max(made.high, around->high);
    return made;
  }
  Known number_around(OpId id) const {
    const std::vector<Attribute>& attributes = graph_.op(id).attributes;
    if (const auto* mode = find_attribute<std::string>(attributes, "mode");
        mode != nullptr && *mode != "constant")
      return std::nullopt;
    for (const std::string_view name : {"value", "constant_value", "input2"})
      if (const auto value = number_of(graph_.op(id), name)) return of_one(*value);
    return number(0);
  }

  const ConnectedGraph& graph_;
  std::vector<Known> found_;
  std::vector<OpId> origins_;                ///< by op
  std::vector<Known> stored_;                ///< by parameter
  std::vector<std::vector<double>> numbers_; ///< some of each parameter; none where not read
  std::map<OpId, Magnitude> constants_;
  std::vector<Operand> operands_; ///< of the op that is being estimated
};

const Estimate::Table<Estimate::Family>& Estimate::families() {
  struct Row {
    std::string_view names;
    Family of;
  };
  static const auto table = read_table<std::vector<Row>, Family>({
      {"linear addmm conv conv_transpose matmul bmm mm baddbmm einsum gemm", &Estimate::of_layer},
      {"layer_norm group_norm instance_norm rms_norm native_layer_norm native_group_norm "
       "lp_normalization normalize mean_variance_normalization",
       &Estimate::of_norm},
      {"batch_norm", &Estimate::of_batch_norm},
      {"argmax argmin", &Estimate::of_place},
      {"arange linspace", &Estimate::of_row},
      {"sigmoid hardsigmoid", &Estimate::of_share},
      {"tanh erf sin cos sign softsign hardtanh atan lstm gru rnn rnn_tanh",
       &Estimate::of_saturating},
      {"softmax softmin", &Estimate::of_softmax},
      {"embedding embedding_bag", &Estimate::of_weight},
      {"scaled_dot_product_attention", &Estimate::of_attention},
      {"sum mean cumsum prod cumprod sum_square norm vector_norm linalg_vector_norm var std",
       &Estimate::of_reduction},
      {"clamp clip clamp_max clamp_min", &Estimate::of_clamp},
      {"pad constant_pad_nd", &Estimate::of_padded},
      {"sequence_construct where cat concat concatenate stack hstack vstack dstack column_stack "
       "masked_fill scatter "
       "index_put copy",
       &Estimate::of_joined},
  });
  return table;
}

} // namespace

Magnitudes magnitudes_of(const ConnectedGraph& graph, const WeightSampler& sample) {
  return Estimate(graph, sample).run();
}

} // namespace model_validator
