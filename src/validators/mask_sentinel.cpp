#include "connected_graph/canonical_type.h"
#include "connected_graph/exporter.h"
#include "connected_graph/operators.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/suggestions/operators.h"
#include "validators/suggestions/source_calls.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/float16.h>
#include <model_validator/data/words.h>
#include <model_validator/error.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace model_validator {
namespace {

constexpr RuleInfo rule = {"mask-sentinel", "QNT007",
                           "a mask holds a number that float16 and int8 cannot express",
                           Severity::warning, true};

/// Stored tensors that are larger are not read: masks of 4,096 positions in float32 are.
constexpr std::uint64_t max_stored_bytes = std::uint64_t{64} << 20;
/// Of all of them.
constexpr std::uint64_t max_stored_bytes_of_file = std::uint64_t{256} << 20;

/// How far the constant may be from the softmax, in ops.
constexpr int farthest = 16;

bool is_softmax(std::string_view type) {
  return contains(
      word_array<"softmax _softmax log_softmax _log_softmax scaled_dot_product_attention">, type);
}

/// Ops through which scores and their mask reach the softmax.
bool leads_to_scores(std::string_view type) {
  return type == "mul" ||
         does(type, moves | Does::converts | Does::bounds | Does::adds | Does::creates);
}

class SentinelFinder {
public:
  SentinelFinder(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics)
      : graph_(graph), context_(context), diagnostics_(diagnostics), calls_(graph) {}

  void run() {
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      if (is_softmax(graph_.op(id).type)) look_before(id);
      look_within(id);
    }
    look_at_stored();
  }

private:
  /// A tensor of the file that reaches scores.
  struct Stored {
    ParameterId parameter = none;
    OpId reader = none;
    OpId softmax = none;
  };

  void note_stored(OpId reader, OpId softmax) {
    const Op& op = graph_.op(reader);
    if (!does(op.type, moves | Does::converts | Does::adds) && reader != softmax) return;
    for (const ParameterId id : op.parameters) {
      const Parameter& parameter = graph_.parameters()[id];
      if (!parameter.type.dtype.starts_with("float") || parameter.bytes > max_stored_bytes ||
          parameter.bytes > stored_bytes_left_ || !stored_seen_.insert(id).second)
        continue;
      stored_bytes_left_ -= parameter.bytes;
      stored_.push_back({id, reader, softmax});
    }
  }

  void look_at_stored() {
    if (stored_.empty() || !context_.measure_weights) return;
    std::vector<WeightQuery> queries;
    for (const Stored& each : stored_)
      queries.push_back({graph_.parameters()[each.parameter].path, 0});
    try {
      const auto ranges = context_.measure_weights(queries, 0);
      for (std::size_t i = 0; i < stored_.size() && i < ranges.size(); ++i)
        if (ranges[i] && std::isfinite(ranges[i]->largest) && ranges[i]->largest > max_float16)
          report_stored(stored_[i], ranges[i]->largest);
    } catch (const Error&) { // what keeps weights from being read is another check's finding
    }
  }

  void report_stored(const Stored& stored, double largest) {
    const std::string& path = graph_.parameters()[stored.parameter].path;
    Diagnostic finding =
        start(stored.reader, "the mask `" + path + "` before `" + graph_.op(stored.softmax).name +
                                 "` holds numbers as large as " + to_python(largest));
    finding.help = "make the mask with -100.0 instead: softmax gives such a score less than 1e-40 "
                   "of the rest, unless scores come near it";
    diagnostics_.add(std::move(finding));
  }

  /// A finding that says what such numbers do.
  Diagnostic start(OpId id, const std::string& message) const {
    Diagnostic finding =
        finding_of(graph_, id, diagnostics_, message + ", which float16 and int8 cannot express");
    finding.notes.emplace_back(
        "in float16 it is infinite; in int8 it sets the scale of all scores, "
        "so that they are rounded to nothing");
    return finding;
  }

  void look_before(OpId softmax) {
    std::vector<OpId> level{softmax};
    note_stored(softmax, softmax);
    for (int distance = 0; distance < farthest && !level.empty(); ++distance) {
      std::vector<OpId> next;
      for (const OpId id : level)
        for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph_.graph()))) {
          const OpId source = boost::source(edge, graph_.graph());
          const Op& op = graph_.op(source);
          if (!leads_to_scores(op.type) || !seen_.insert(source).second) continue;
          if (const auto value = number_beyond(op, max_float16))
            report(source, "`" + graph_.op(softmax).name + "`", *value);
          note_stored(source, softmax);
          next.push_back(source);
        }
      level = std::move(next);
    }
  }

  /// A module or function that is one op may have its softmax within, whatever its name.
  void look_within(OpId id) {
    const Op& op = graph_.op(id);
    if (!op.body) return;
    std::optional<double> value;
    for (const Operator& part : *op.body) {
      const std::string type = canonical_type(part.schema, part.attributes);
      if (is_softmax(type) && value && seen_.insert(id).second)
        return report(id, "`" + type + "` in `" + op.name + "`", *value);
      if (!leads_to_scores(type)) continue;
      if (const auto found = number_beyond(part.attributes, max_float16)) value = found;
    }
  }

  void report(OpId id, const std::string& softmax, double value) {
    Diagnostic finding = start(id, "a mask before " + softmax + " holds " + to_python(value));
    if (finding.locations.empty()) {
      finding.severity = Severity::info;
      finding.notes.emplace_back(
          "the file does not say where this is written: perhaps in a package "
          "that you cannot edit");
    }
    const std::string smaller = value < 0 ? "-100.0" : "100.0";
    finding.help = "write " + smaller +
                   " instead: softmax gives such a score less than 1e-40 of the rest, unless "
                   "scores come near it";
    if (is_of_torch(graph_.origin) && graph_.op(id).kind == OpKind::functional)
      finding.fix = Fix{Applicability::unsafe, finding.help, {}, rewrite_of(id, smaller)};
    diagnostics_.add(std::move(finding));
  }

  Rewrite rewrite_of(OpId id, const std::string& number) {
    Rewrite rewrite = calls_.rewrite_of(id, Rewrite::Kind::replace_number);
    rewrite.expression = number;
    return rewrite;
  }

  const ConnectedGraph& graph_;
  const Context& context_;
  Diagnostics& diagnostics_;
  SourceCalls calls_;
  std::set<OpId> seen_;
  std::vector<Stored> stored_;
  std::set<ParameterId> stored_seen_;
  std::uint64_t stored_bytes_left_ = max_stored_bytes_of_file;
};

/// Constants far beyond what is ever computed, added before a softmax.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  SentinelFinder(graph, context, diagnostics).run();
}

} // namespace

const Check checks::mask_sentinel(rule, run);

} // namespace model_validator
