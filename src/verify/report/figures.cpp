#include "verify/report/figures.h"

#include "text/grouped_names.h"
#include "verify/compare/words.h"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <vector>

namespace model_validator::verify {

namespace {

/// One text for both sides, or how it changed.
std::string change(const std::string& from, const std::string& to) {
  return from == to ? from : from + " → " + to;
}

std::string side_shape(const std::optional<SideInfo>& side) {
  if (!side) return "missing";
  return side->dtype.empty() ? side->kind : to_string(side->shape);
}

std::string side_dtype(const std::optional<SideInfo>& side) {
  if (!side) return "missing";
  return side->dtype.empty() ? "–" : side->dtype;
}

std::string failed_checks(const OutputReport& output) {
  std::string names;
  for (const Verdict& verdict : output.verdicts)
    if (!verdict.passed) names += (names.empty() ? "" : ", ") + verdict.check;
  return names;
}

} // namespace

std::vector<OutputReport> shown_outputs(const VerifyReport& report) {
  const auto& outputs = report.outputs;
  std::vector<std::string> names, kinds;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputReport& output = outputs[i];
    names.push_back(output.name);
    kinds.push_back(std::to_string(output.sample) + " " + std::to_string(output.step) + " " +
                    side_shape(output.reference) + side_dtype(output.reference) +
                    side_shape(output.candidate) + side_dtype(output.candidate) +
                    (output.passed() && output.metrics ? "" : " " + std::to_string(i)));
  }
  std::vector<OutputReport> shown;
  for (const NameGroup& group : group_names(names, kinds)) {
    const auto worst = *std::max_element(
        group.members.begin(), group.members.end(), [&](std::size_t a, std::size_t b) {
          return outputs[a].metrics && outputs[b].metrics &&
                 outputs[a].metrics->max_abs < outputs[b].metrics->max_abs;
        });
    shown.push_back(outputs[worst]);
    shown.back().name = group.name;
  }
  return shown;
}

std::string title_of(const OutputReport& output, const VerifyReport& report) {
  std::vector<std::string> call;
  if (report.samples > 1) call.push_back("sample " + std::to_string(output.sample));
  if (report.steps > 1) call.push_back("step " + std::to_string(output.step));
  return call.empty() ? output.name : output.name + " (" + boost::join(call, ", ") + ")";
}

OutputCells cells_of(const OutputReport& output, const VerifyReport& report) {
  OutputCells cells;
  cells.name = title_of(output, report);
  cells.shape = change(side_shape(output.reference), side_shape(output.candidate));
  cells.dtype = change(side_dtype(output.reference), side_dtype(output.candidate));
  cells.verdict = output.passed() ? "same" : failed_checks(output);
  cells.pcc = cells.max_abs = cells.max_rel = cells.mismatched = cells.non_finite = "–";
  if (!output.metrics) return cells;
  const Metrics& metrics = *output.metrics;
  if (metrics.pcc) cells.pcc = number(*metrics.pcc);
  cells.max_abs = number(metrics.max_abs);
  cells.max_rel = number(metrics.max_rel);
  cells.mismatched = std::to_string(output.mismatched);
  cells.non_finite = change(std::to_string(metrics.reference_non_finite.total()),
                            std::to_string(metrics.candidate_non_finite.total()));
  return cells;
}

std::size_t failures(const VerifyReport& report) {
  return static_cast<std::size_t>(
      std::count_if(report.outputs.begin(), report.outputs.end(),
                    [](const OutputReport& output) { return !output.passed(); }));
}

std::string conclusion(const VerifyReport& report) {
  const std::size_t outputs = report.outputs.size(), failed = failures(report);
  std::string samples =
      report.samples > 1 ? " over " + std::to_string(report.samples) + " samples" : "";
  if (report.steps > 1) samples += " in " + std::to_string(report.steps) + " steps";
  const std::string noun = outputs == 1 ? " output" : " outputs";
  const std::string same =
      report.precision.empty() ? "same: " : "same, in " + report.precision + ": ";
  if (report.passed())
    return outputs == 0 ? "same: nothing was compared"
                        : same + std::to_string(outputs) + noun +
                              (outputs == 1 ? " agrees" : " agree") + samples;
  if (failed == 0) return "different: see above";
  return "different: " + std::to_string(failed) + " of " + std::to_string(outputs) + noun + samples;
}

const OpComparison* first_divergent(const VerifyReport& report) {
  const auto found = std::find_if(report.ops.begin(), report.ops.end(),
                                  [](const OpComparison& op) { return op.first_divergent; });
  return found == report.ops.end() ? nullptr : &*found;
}

std::string op_text(const OpComparison& op) {
  std::string text = op.op;
  if (!op.module.empty()) text += " (" + op.module + ")";
  if (!op.source.empty()) text += " at " + op.source;
  return text;
}

} // namespace model_validator::verify
