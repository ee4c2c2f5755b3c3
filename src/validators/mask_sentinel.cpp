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

#include <optional>
#include <set>
#include <vector>

namespace model_validator {
namespace {

constexpr RuleInfo rule = {"mask-sentinel", "QNT007",
                           "a mask holds a number that float16 and int8 cannot express",
                           Severity::warning, true};

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
  SentinelFinder(const ConnectedGraph& graph, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics), calls_(graph) {}

  void run() {
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      if (is_softmax(graph_.op(id).type)) look_before(id);
      look_within(id);
    }
  }

private:
  void look_before(OpId softmax) {
    std::vector<OpId> level{softmax};
    for (int distance = 0; distance < farthest && !level.empty(); ++distance) {
      std::vector<OpId> next;
      for (const OpId id : level)
        for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph_.graph()))) {
          const OpId source = boost::source(edge, graph_.graph());
          const Op& op = graph_.op(source);
          if (!leads_to_scores(op.type) || !seen_.insert(source).second) continue;
          if (const auto value = number_beyond(op, max_float16))
            report(source, "`" + graph_.op(softmax).name + "`", *value);
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
    Diagnostic finding = finding_of(graph_, id, diagnostics_,
                                    "a mask before " + softmax + " holds " + to_python(value) +
                                        ", which float16 and int8 cannot express");
    finding.notes.emplace_back(
        "in float16 it is infinite; in int8 it sets the scale of all scores, "
        "so that they are rounded to nothing");
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
  Diagnostics& diagnostics_;
  SourceCalls calls_;
  std::set<OpId> seen_;
};

/// Constants far beyond what is ever computed, added before a softmax.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  SentinelFinder(graph, diagnostics).run();
}

} // namespace

const Check checks::mask_sentinel(rule, run);

} // namespace model_validator
