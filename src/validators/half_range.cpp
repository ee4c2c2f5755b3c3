#include "connected_graph/attributes.h"
#include "connected_graph/operand_parameter.h"
#include "connected_graph/operators.h"
#include "text/numbers.h"
#include "validators/checks.h"
#include "validators/half_patterns.h"
#include "validators/likely_magnitudes.h"
#include "validators/op_finding.h"
#include "validators/suggestions/operators.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/dtype.h>
#include <model_validator/data/words.h>
#include <model_validator/half_rules.h>
#include <model_validator/target_profile.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace model_validator {
namespace {

constexpr RuleInfo rule{
    .name = "half-range",
    .code = "QNT008",
    .summary = "float16 cannot express a number, or its conversion breaks an operation",
    .severity = Severity::warning,
    .about_code = false};

/// Radians: float16 has steps of a quarter beyond.
constexpr double greatest_angle = 256;
constexpr auto periodic = word_array<"sin cos">;
/// Beyond, float16 has steps of 2 and more.
constexpr double greatest_whole = 2048;
/// What keeps a divisor from zero, so that it is expected to get there.
constexpr auto clamps = word_array<"clamp clamp_min maximum">;
constexpr auto reductions = word_array<"sum mean amax norm linalg_vector_norm vector_norm">;

class HalfChecker {
public:
  HalfChecker(const ConnectedGraph& graph, const Context& context, const HalfRules& rules,
              Diagnostics& diagnostics)
      : graph_(graph), context_(context), rules_(rules), diagnostics_(diagnostics) {}

  void run() {
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      if (graph_.op(id).kind == OpKind::query) continue;
      check_numbers(id);
      for (const Operator& each : operators_of(graph_.op(id)))
        if (const HalfBreak* found = break_of(each); found != nullptr && matters(id, *found)) {
          report_break(id, each, *found);
          break;
        }
    }
    const std::vector<bool> wide = computing_wide(graph_);
    for (const HalfPattern& each : half_patterns(graph_, wide)) report_pattern(each);
    check_magnitudes(wide);
  }

private:
  bool yields_float(OpId id) const {
    const auto& outputs = graph_.op(id).outputs;
    return outputs.empty() || outputs[0].dtype.empty() || outputs[0].dtype.starts_with("float");
  }

  void check_numbers(OpId id) {
    const std::optional<double> value = number_beyond(graph_.op(id), rules_.largest);
    if (!value || !yields_float(id)) return;
    Diagnostic finding = finding_of(graph_, id, diagnostics_,
                                    "`" + graph_.op(id).name + "` holds " + to_python(*value) +
                                        ", which is infinite in float16");
    finding.notes.emplace_back("the largest number is " + to_python(rules_.largest));
    diagnostics_.add(std::move(finding),
                     "write a number within that range, or keep the operation in float32");
  }

  const HalfBreak* break_of(const Operator& each) const {
    const std::string_view name = schema_base(each.schema);
    for (const HalfBreak& one : rules_.breaks) {
      if (!contains(one.operators, name)) continue;
      if (one.argument.empty()) return &one;
      const auto* number = find_attribute<std::int64_t>(each.attributes, one.argument);
      if (number && contains(one.is, *number)) return &one;
    }
    return nullptr;
  }

  /// Whether what stays in float32 reaches an operation that takes no mixture. Others widen what
  /// they mix, until something of another dtype is made of it or it is written into a tensor.
  bool computes_floats(OpId reader, std::size_t operand) const {
    const Op& op = graph_.op(reader);
    const bool overwrites = writes_in_place(op.schema) && operand != 0;
    return op.kind != OpKind::query && !overwrites && yields_float(reader) &&
           !does(op.type, Does::compares); // a trace need not say that it yields no float
  }

  bool matters(OpId from, const HalfBreak& how) const {
    if (how.meets.empty()) return true;
    std::set<OpId> seen{from};
    for (std::vector<OpId> next{from}; !next.empty();) {
      const OpId id = next.back();
      next.pop_back();
      for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph_.graph()))) {
        const OpId reader = boost::target(edge, graph_.graph());
        const Op& op = graph_.op(reader);
        if (!computes_floats(reader, graph_.graph()[edge].input)) continue;
        if (contains(how.meets, op.type)) return true;
        if (op.type != "type_as" && op.type != "to" && seen.insert(reader).second)
          next.push_back(reader);
      }
    }
    return false;
  }

  void report_break(OpId id, const Operator& broken, const HalfBreak& how) {
    Diagnostic finding = finding_of(graph_, id, diagnostics_,
                                    "the conversion to float16 breaks `" + graph_.op(id).name +
                                        "` (" + std::string(schema_base(broken.schema)) + ")");
    finding.notes.push_back(how.reason);
    diagnostics_.add(std::move(finding), how.remedy);
  }

  void report_pattern(const HalfPattern& pattern) {
    Diagnostic finding = finding_of(graph_, pattern.op, diagnostics_, pattern.message);
    finding.notes.push_back(pattern.note);
    diagnostics_.add(std::move(finding), pattern.help);
  }

  void check_magnitudes(const std::vector<bool>& wide) {
    const Magnitudes found = likely_magnitudes(graph_, context_);
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      if (wide[id] || graph_.op(id).kind == OpKind::output) continue;
      check_stored(found, id);
      check_whole(found, id);
      const double before = greatest_before(found, id);
      if (contains(periodic, graph_.op(id).type))
        check_angle(id, std::max(before, greatest_stored(found, id)));
      if (const double quotient = greatest_quotient(found, id); quotient > rules_.largest)
        report_quotient(id, quotient);
      // The first op of a chain: what follows is as large because of it.
      if (found.ops[id] && found.ops[id]->peak > rules_.largest && before <= rules_.largest &&
          yields_float(id))
        report_magnitude(id, found.ops[id]->peak);
    }
  }

  double greatest_before(const Magnitudes& found, OpId id) const {
    double greatest = 0;
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph_.graph())))
      if (const auto& before = found.ops[boost::source(edge, graph_.graph())])
        greatest = std::max(greatest, before->peak);
    return greatest;
  }

  /// Of the stored tensors that an op takes.
  double greatest_stored(const Magnitudes& found, OpId id) const {
    double greatest = 0;
    for (const ParameterId each : graph_.op(id).parameters)
      if (const auto& stored = found.parameters[each]) greatest = std::max(greatest, stored->peak);
    return greatest;
  }

  /// Whole numbers that a conversion makes floats of: ids, places.
  void check_whole(const Magnitudes& found, OpId id) {
    if (!does(graph_.op(id).type, Does::converts) || !found.ops[id] || !makes_float(id)) return;
    const double greatest = std::max(-found.ops[id]->low, found.ops[id]->high);
    const bool known = std::isfinite(greatest) && greatest > greatest_whole;
    if (known && takes_whole(id)) report_whole(id, greatest);
  }
  bool makes_float(OpId id) const {
    return std::ranges::any_of(
        boost::make_iterator_range(boost::out_edges(id, graph_.graph())),
        [&](const auto& edge) { return graph_.graph()[edge].type.dtype.starts_with("float"); });
  }
  bool takes_whole(OpId id) const {
    return std::ranges::any_of(boost::make_iterator_range(boost::in_edges(id, graph_.graph())),
                               [&](const auto& edge) {
                                 const auto dtype = dtype_named(graph_.graph()[edge].type.dtype);
                                 return dtype && facts_of(*dtype).kind == DTypeKind::integral;
                               });
  }
  void report_whole(OpId id, double greatest) {
    Diagnostic finding =
        finding_of(graph_, id, diagnostics_,
                   "`" + graph_.op(id).name + "` makes floats of whole numbers of " +
                       rough_number(greatest) + ", of which float16 holds all up to 2048 alone");
    finding.notes.emplace_back("ids and places that are rounded are others");
    diagnostics_.add(std::move(finding), "compute with them as integers, or in float32");
  }

  /// What a divisor is clamped to, where it is not computed of many numbers; 0 where it is not.
  double least_clamped(const Magnitudes& found, OpId divisor) const {
    if (divisor == none || !contains(clamps, graph_.op(divisor).type) || !found.ops[divisor])
      return 0;
    const OpId clamped = op_at_operand(graph_, divisor, 0);
    const bool is_reduced = clamped != none && contains(reductions, graph_.op(clamped).type);
    return clamped == none || is_reduced ? 0 : found.ops[divisor]->low;
  }

  /// Of what has a bound, by what is clamped to a number above zero; 0 for anything else. The sum
  /// of the same elements is clamped for the case that all are zero.
  double greatest_quotient(const Magnitudes& found, OpId id) const {
    const std::string& type = graph_.op(id).type;
    if (type != "div" && type != "reciprocal") return 0;
    const double least = least_clamped(found, op_at_operand(graph_, id, type == "div" ? 1 : 0));
    if (least <= 0) return 0;
    const OpId divided = type == "div" ? op_at_operand(graph_, id, 0) : none;
    if (divided == none) return 1 / least;
    const auto& numbers = found.ops[divided];
    const double bound = numbers ? std::max(std::abs(numbers->low), std::abs(numbers->high)) : 0;
    return std::isfinite(bound) ? bound / least : 0;
  }

  void report_quotient(OpId id, double greatest) {
    Diagnostic finding = finding_of(graph_, id, diagnostics_,
                                    "`" + graph_.op(id).name + "` may yield " +
                                        rough_number(greatest) + ", which is infinite in float16");
    finding.notes.emplace_back("it divides by what is clamped to a number as small as that");
    diagnostics_.add(std::move(finding),
                     "clamp to a larger number, or keep these operations in float32");
  }

  void check_stored(const Magnitudes& found, OpId id) {
    for (const ParameterId each : graph_.op(id).parameters) {
      const auto& numbers = found.parameters[each];
      if (!numbers || !std::isfinite(numbers->peak) || numbers->peak <= rules_.largest ||
          !stored_.insert(each).second)
        continue;
      Diagnostic finding =
          finding_of(graph_, id, diagnostics_,
                     "`" + graph_.parameters()[each].path + "`, which `" + graph_.op(id).name +
                         "` takes, holds numbers of " + rough_number(numbers->peak) +
                         ", which are infinite in float16");
      diagnostics_.add(std::move(finding),
                       "keep this operation in float32, or scale what the model stores");
    }
  }

  void check_angle(OpId id, double greatest) {
    if (greatest <= greatest_angle) return;
    Diagnostic finding =
        finding_of(graph_, id, diagnostics_,
                   "`" + graph_.op(id).name + "` is likely to take numbers of " +
                       rough_number(greatest) + ", between which float16 has steps of " +
                       short_number(std::exp2(std::floor(std::log2(greatest)) - 10)));
    finding.notes.emplace_back("an angle in radians is then off by as much");
    diagnostics_.add(std::move(finding),
                     "compute positions and angles in float32, and cast their sine and cosine");
  }

  void report_magnitude(OpId id, double peak) {
    Diagnostic finding = finding_of(graph_, id, diagnostics_,
                                    "`" + graph_.op(id).name + "` is likely to yield numbers of " +
                                        rough_number(peak) + ", which are infinite in float16");
    finding.notes.emplace_back("estimated from the weights, for inputs with mean 0 and deviation 1 "
                               "or within the range that is given");
    diagnostics_.add(std::move(finding),
                     "keep this operation in float32, or scale what it is given");
  }

  const ConnectedGraph& graph_;
  const Context& context_;
  std::set<ParameterId> stored_; ///< that were told
  const HalfRules& rules_;
  Diagnostics& diagnostics_;
};

/// With the target `fp16`: constants that float16 cannot express, and operators that a conversion
/// to it breaks.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  for (const TargetProfile* target : context.targets)
    if (target->half) HalfChecker(graph, context, *target->half, diagnostics).run();
}

} // namespace

const Check checks::half_range(rule, run);

} // namespace model_validator
