#include "validators/half_patterns.h"

#include "connected_graph/attributes.h"
#include "connected_graph/canonical_type.h"
#include "connected_graph/operand_parameter.h"
#include "connected_graph/operators.h"
#include "text/numbers.h"
#include "validators/guarded_values.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

namespace model_validator {
namespace {

/// The largest number that float16 rounds to zero: half of its smallest, 2^−24.
constexpr double vanishing_float16 = 0x1p-25;
/// How far apart the ops of a pattern may be, in ops.
constexpr int farthest = 8;
/// How far below 1 a number is at most that float16 rounds to 1: half of its step there, 2^−11.
constexpr double vanishing_below_one = 0x1p-12;
/// How PyTorch numbers float32 and float64, and ONNX.
constexpr std::int64_t torch_float = 6;
constexpr std::int64_t torch_double = 7;
constexpr std::int64_t onnx_float = 1;
constexpr std::int64_t onnx_double = 11;

constexpr auto logarithms = word_array<"log log2 log10">;
constexpr auto dividers = word_array<"div reciprocal rsqrt">;
/// What is infinite at 1.
constexpr auto singular_at_one = word_array<"atanh logit">;
/// Near 1 wherever they are given a large number.
constexpr auto near_one = word_array<"sigmoid softmax _softmax tanh erf">;
constexpr auto sums = word_array<"add sum cumsum mean">;
constexpr auto maxima = word_array<"amax max maximum">;
/// What yields the same for an infinite operand as for a large one.
constexpr auto saturating = word_array<"tanh sigmoid reciprocal hardtanh clamp">;

bool vanishes(double number) { return number != 0 && std::abs(number) <= vanishing_float16; }

/// A number among arguments that float16 rounds to zero.
std::optional<double> vanishing_number(const std::vector<Attribute>& arguments) {
  for (const Attribute& each : arguments)
    if (const auto* number = std::get_if<double>(&each.value); number && vanishes(*number))
      return *number;
  return std::nullopt;
}

/// Whether a cast of ONNX stays what it is: converters turn those to float32 into casts to float16,
/// unless a file that is halved already has it.
bool stays_wide(const ConnectedGraph& graph, OpId id, std::int64_t dtype) {
  if (dtype != onnx_float) return dtype == onnx_double;
  return std::ranges::any_of(boost::make_iterator_range(boost::in_edges(id, graph.graph())),
                             [&](const auto& edge) {
                               const std::string& taken = graph.graph()[edge].type.dtype;
                               return taken == "float16" || taken == "bfloat16";
                             });
}

/// Whether it is a cast to float32, or has an operand that one made.
bool computes_wide(const ConnectedGraph& graph, OpId id, const std::vector<bool>& wide) {
  const Op& op = graph.op(id);
  if (op.kind == OpKind::module) return false;
  const bool onnx = op.schema.starts_with("onnx::");
  // An exported program names its dtypes.
  if (const auto* dtype = find_attribute<std::string>(op.attributes, "dtype"))
    return *dtype == "float32" || *dtype == "float64";
  if (const auto dtype = integer_of(op.attributes, onnx ? "to" : "dtype"))
    return onnx ? stays_wide(graph, id, *dtype) : *dtype == torch_float || *dtype == torch_double;
  if (op.type == "to" || op.type == "type_as") return false;
  return std::ranges::any_of(operand_ops(graph, id), [&](OpId each) { return wide[each]; });
}

class PatternFinder {
public:
  PatternFinder(const ConnectedGraph& graph, const std::vector<bool>& wide)
      : graph_(graph), wide_(wide) {}

  std::vector<HalfPattern> run() {
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      if (wide_[id] || graph_.op(id).kind == OpKind::query) continue;
      const std::string& type = graph_.op(id).type;
      if (contains(logarithms, type)) look_before_logarithm(id);
      if (contains(dividers, type)) look_before_division(id);
      if (contains(singular_at_one, type)) look_for_one(id, operand(id, 0));
      look_within(id);
    }
    return std::move(found_);
  }

private:
  OpId operand(OpId id, std::size_t input) const { return op_at_operand(graph_, id, input); }

  /// A number that float16 rounds to zero, among the arguments of an op or as its operand.
  std::optional<double> vanishing_operand(OpId id) const {
    if (const auto number = vanishing_number(graph_.op(id).attributes)) return number;
    for (const OpId each : operand_ops(graph_, id))
      if (graph_.op(each).kind == OpKind::constant)
        if (const auto number = vanishing_number(graph_.op(each).attributes)) return number;
    return std::nullopt;
  }

  std::optional<double> guard_of(OpId id) const {
    return contains(guards, graph_.op(id).type) ? vanishing_operand(id) : std::nullopt;
  }

  /// The op before an operand, back over ops that only hand values on, or of some types.
  template <class Words> OpId before(OpId id, const Words& passed) const {
    for (int distance = 0; distance < farthest && id != none; ++distance) {
      const std::string& type = graph_.op(id).type;
      if (!does(type, moves | Does::converts) && !contains(passed, type)) return id;
      id = operand(id, 0);
    }
    return id;
  }

  void look_before_logarithm(OpId id) {
    const OpId taken = before(operand(id, 0), word_array<"sqrt">);
    if (taken == none || wide_[taken]) return;
    const std::string& type = graph_.op(taken).type;
    if (const auto number = guard_of(taken)) return report_guard(id, taken, *number, "infinite");
    if (contains(probabilities, type)) return report_probability(id, taken);
    look_before_difference(id, taken);
    if (const OpId exponential = exponential_before(taken); exponential != none)
      report_exponential(id, exponential);
  }

  void look_before_division(OpId id) {
    const bool by_second = graph_.op(id).type == "div";
    const OpId divisor = before(operand(id, by_second ? 1 : 0), word_array<"sqrt">);
    if (divisor == none || wide_[divisor]) return;
    if (const auto number = guard_of(divisor))
      return report_guard(id, divisor, *number, "infinite or NaN");
    look_before_difference(id, divisor);
  }

  /// Of 1 and what is near it.
  void look_before_difference(OpId id, OpId difference) {
    const Op& op = graph_.op(difference);
    if (op.type == "rsub") return look_for_one(id, operand(difference, 0));
    if (op.type == "sub" && operand(difference, 1) != none)
      look_for_one(id, operand(difference, 1));
  }

  /// Something that float16 rounds to 1 where it is near it.
  void look_for_one(OpId id, OpId near) {
    const OpId taken = near == none ? none : before(near, word_array<"">);
    if (taken == none || wide_[taken]) return;
    if (contains(near_one, graph_.op(taken).type) || is_kept_below_one(taken))
      report_one(id, taken);
  }

  /// By a bound that is 1 in float16: `x.clamp(max=1 - 1e-5)`.
  bool is_kept_below_one(OpId id) const {
    if (!contains(word_array<"clamp clamp_max minimum">, graph_.op(id).type)) return false;
    return std::ranges::any_of(graph_.op(id).attributes, [](const Attribute& each) {
      const auto* number = std::get_if<double>(&each.value);
      return number != nullptr && *number < 1 && 1 - *number <= vanishing_below_one;
    });
  }

  /// A function that is one op may have all of it within.
  void look_within(OpId id) {
    const Op& op = graph_.op(id);
    if (!op.body || op.kind == OpKind::module) return;
    std::optional<double> number;
    for (const Operator& part : *op.body) {
      const std::string type = canonical_type(part.schema, part.attributes);
      if (number && (contains(logarithms, type) || contains(dividers, type)))
        return report_guard(id, id, *number, "infinite or NaN");
      if (contains(guards, type)) number = vanishing_number(part.attributes);
    }
  }

  /// An exponential without a bound, behind sums alone; of what has its greatest number taken off,
  /// none is above 1.
  OpId exponential_before(OpId id) const {
    bool summed = false;
    for (int distance = 0; distance < farthest && id != none; ++distance) {
      const std::string& type = graph_.op(id).type;
      if (type == "exp") return summed && !is_bounded(operand(id, 0)) ? id : none;
      const bool sum = contains(sums, type);
      if (!sum && !does(type, moves)) return none;
      summed = summed || sum;
      id = sum ? only_computed_operand(id) : operand(id, 0);
    }
    return none;
  }

  OpId only_computed_operand(OpId id) const {
    OpId found = none;
    for (const OpId each : operand_ops(graph_, id)) {
      if (graph_.op(each).kind == OpKind::constant) continue;
      if (found != none) return none;
      found = each;
    }
    return found;
  }

  bool is_bounded(OpId id) const {
    if (id == none) return true;
    const std::string& type = graph_.op(id).type;
    if (does(type, Does::bounds) || type == "neg" || contains(saturating, type)) return true;
    if (type != "sub") return false;
    const OpId taken_off = before(operand(id, 1), word_array<"detach">);
    return taken_off != none && contains(maxima, graph_.op(taken_off).type);
  }

  std::string name_of(OpId id) const { return '`' + graph_.op(id).name + '`'; }

  void add(OpId id, std::string message, std::string note, std::string help) {
    found_.push_back({id, std::move(message), std::move(note), std::move(help)});
  }

  void report_guard(OpId id, OpId guard, double number, const std::string& what) {
    if (!told_.insert(guard).second) return;
    add(id,
        "the " + short_number(number) + (guard == id ? " in " : " that ") + name_of(guard) +
            (guard == id ? "" : " adds or keeps to") + " is zero in float16, so that " +
            name_of(id) + " may be " + what,
        "the smallest number above zero in float16 is about 6e-8",
        "use 1e-6 or more, or keep these operations in float32");
  }

  void report_probability(OpId id, OpId made) {
    add(id,
        name_of(id) + " takes the logarithm of " + name_of(made) +
            ", which is zero in float16 where it is below 3e-8",
        "the logarithm of zero is infinite",
        graph_.op(made).type == "sigmoid" ? "use `torch.nn.functional.logsigmoid`"
                                          : "use `torch.log_softmax`");
  }

  void report_one(OpId id, OpId made) {
    add(id,
        name_of(id) + " is infinite where " + name_of(made) +
            " is 1, which it is in float16 from 0.9998 on",
        "between 0.9995 and 1 float16 has nothing",
        "compute it of what `" + graph_.op(made).name +
            "` takes, or keep these operations in float32");
  }

  void report_exponential(OpId id, OpId made) {
    if (saturates_after(id)) return;
    add(id,
        name_of(id) + " takes the logarithm of a sum of " + name_of(made) +
            ", which is infinite in float16 from 11.1 on",
        "the result is infinite, although it would be small",
        "use `torch.logsumexp`, or `torch.nn.functional.softplus` for `log(1 + exp(x))`");
  }

  bool saturates_after(OpId id) const {
    bool any = false;
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph_.graph()))) {
      any = true;
      if (!contains(saturating, graph_.op(boost::target(edge, graph_.graph())).type)) return false;
    }
    return any;
  }

  const ConnectedGraph& graph_;
  const std::vector<bool>& wide_; ///< by op: it computes in float32
  std::set<OpId> told_;           ///< ops whose number was told
  std::vector<HalfPattern> found_;
};

} // namespace

std::vector<HalfPattern> half_patterns(const ConnectedGraph& graph, const std::vector<bool>& wide) {
  return PatternFinder(graph, wide).run();
}

std::vector<bool> computing_wide(const ConnectedGraph& graph) {
  std::vector<bool> wide(graph.op_count());
  for (OpId id = 0; id < graph.op_count(); ++id) wide[id] = computes_wide(graph, id, wide);
  return wide;
}

} // namespace model_validator
