#include "validators/checks.h"
#include "validators/layer_weights.h"
#include "validators/op_finding.h"

#include <model_validator/error.h>

#include <algorithm>
#include <cmath>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "weight-range",
                        .code = "QNT010",
                        .summary = "weights lose much when eight bits hold them",
                        .severity = Severity::warning,
                        .on_by_default = false,
                        .needs = Need::weights,
                        .about_code = false};

/// In dB. Of layers that were quantised alone, all below the first had outputs below it, 40 % of
/// those between the two, and hardly any beyond.
constexpr double poor = 20;
constexpr double enough = 26;
/// A ratio says little where a few loud channels are nearly all of the signal: one in so many
/// channels may be lost beside them.
constexpr std::size_t many_channels = 8;

std::string spoken(double ratio) {
  return std::isfinite(ratio) ? std::to_string(static_cast<long>(std::lround(ratio))) + " dB"
                              : "no loss";
}

class RangeReporter {
public:
  RangeReporter(const ConnectedGraph& graph, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics) {}

  void report(const LayerWeight& weight, const WeightRange& range) {
    if (range.non_finite > 0)
      report_non_finite(weight, range);
    else if (range.largest <= 0)
      report_zeros(weight);
    else if (range.per_tensor && *range.per_tensor < enough)
      report_loss(weight, range);
    else if (range.lost > range.channels / many_channels)
      report_lost(weight, range);
    else if (range.dead > 0)
      report_dead(weight, range);
  }

  void report_nothing_loaded(std::size_t layers) {
    Diagnostic finding =
        diagnostics_.start("the weights of all " + std::to_string(layers) + " layers are zero");
    finding.severity = Severity::info;
    diagnostics_.add(std::move(finding), "load the weights before exporting the model");
  }

private:
  Diagnostic start(const LayerWeight& weight, Severity severity, std::string message) const {
    Diagnostic finding = finding_of(graph_, weight.op, diagnostics_, std::move(message));
    finding.severity = severity;
    return finding;
  }

  void report_non_finite(const LayerWeight& weight, const WeightRange& range) {
    diagnostics_.add(
        start(weight, Severity::warning,
              "the weights `" + weight.name +
                  "` cannot be quantised: " + std::to_string(range.non_finite) + " of " +
                  std::to_string(range.numbers) + " numbers are not finite"),
        "find the first checkpoint in which they are not finite, and export an earlier "
        "one");
  }

  void report_zeros(const LayerWeight& weight) {
    Diagnostic finding =
        start(weight, Severity::info, "the weights `" + weight.name + "` are all zero");
    finding.notes.emplace_back("their scale is zero, which quantisers replace by one of their own");
    diagnostics_.add(std::move(finding),
                     "remove the layer, or check whether its weights were loaded");
  }

  void report_loss(const LayerWeight& weight, const WeightRange& range) {
    const bool severe = *range.per_tensor < poor;
    Diagnostic finding =
        start(weight, severe ? Severity::warning : Severity::info,
              "the weights `" + weight.name + "` keep a signal-to-noise ratio of " +
                  spoken(*range.per_tensor) + " in int8 with one scale");
    finding.notes.push_back(severe ? "the output of such a layer is off by more than a tenth"
                                   : "the output of four in ten such layers is off by more than a "
                                     "tenth");
    finding.notes.push_back(alternatives(range));
    if (range.dead > 0) finding.notes.push_back(of_dead(range));
    if (range.lost > 0)
      finding.notes.push_back("one scale leaves only zeros in " + std::to_string(range.lost) +
                              " others");
    diagnostics_.add(std::move(finding), *range.per_channel >= enough
                                             ? "quantise it per channel"
                                             : (range.grouped && *range.grouped >= enough
                                                    ? "quantise it in groups, or leave it in float"
                                                    : "leave it in float"));
  }

  void report_lost(const LayerWeight& weight, const WeightRange& range) {
    Diagnostic finding =
        start(weight, Severity::warning,
              "of the weights `" + weight.name + "`, int8 with one scale leaves only zeros in " +
                  std::to_string(range.lost) + " of " + std::to_string(range.channels) +
                  " output channels");
    finding.notes.emplace_back("their numbers are less than half a step, beside a few that are "
                               "much larger");
    diagnostics_.add(std::move(finding), "quantise it per channel");
  }

  static std::string alternatives(const WeightRange& range) {
    std::string text = "with a scale for each of " + std::to_string(range.channels) +
                       " channels it is " + spoken(*range.per_channel);
    if (range.grouped) text += ", with one for every 128 numbers " + spoken(*range.grouped);
    return text;
  }

  static std::string of_dead(const WeightRange& range) {
    return std::to_string(range.dead) + " of " + std::to_string(range.channels) +
           " output channels hold zeros alone";
  }

  void report_dead(const LayerWeight& weight, const WeightRange& range) {
    Diagnostic finding =
        start(weight, Severity::info, "of the weights `" + weight.name + "`, " + of_dead(range));
    finding.notes.emplace_back("per channel their scale is next to nothing, so that their biases "
                               "may not fit into int32");
    diagnostics_.add(std::move(finding), "prune these channels, or quantise the layer per tensor");
  }

  const ConnectedGraph& graph_;
  Diagnostics& diagnostics_;
};

/// Of several layers: the model was exported without its weights.
bool are_all_zero(const std::vector<std::optional<WeightRange>>& ranges) {
  return ranges.size() > 1 && std::ranges::all_of(ranges, [](const auto& range) {
           return range && range->largest <= 0 && range->non_finite == 0;
         });
}

std::vector<WeightQuery> queries_of(const std::vector<LayerWeight>& weights) {
  std::vector<WeightQuery> queries;
  for (const LayerWeight& weight : weights) queries.push_back({weight.name, weight.axis});
  return queries;
}

/// Layers whose weights lose much when eight bits hold them. Reads the weights.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  const auto weights = layer_weights(graph);
  const auto unchecked = [&](const std::string& why) {
    diagnostics.add(diagnostics.start("the weights cannot be checked: " + why));
  };
  if (!context.measure_weights) return unchecked("the model was not read from a file");
  if (weights.empty()) return;
  try {
    const auto ranges = context.measure_weights(queries_of(weights), enough);
    RangeReporter reporter(graph, diagnostics);
    if (are_all_zero(ranges)) return reporter.report_nothing_loaded(weights.size());
    for (std::size_t i = 0; i < weights.size() && i < ranges.size(); ++i)
      if (ranges[i]) reporter.report(weights[i], *ranges[i]);
  } catch (const Error& error) {
    unchecked(error.what());
  }
}

} // namespace

const Check checks::weight_range(rule, run);

} // namespace model_validator
