#include "report/style.h"
#include "text/columns.h"
#include "text/escape.h"
#include "text/grouped_names.h"
#include "verify/compare/words.h"
#include "verify/report/figures.h"

#include <model_validator/verify/render.h>

#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
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

/// The outputs as the table shows them: of those that agree and differ in one number of their names
/// alone, such as the caches of equal layers, only the one with the greatest difference, under the
/// name of all: `present.{0..31}.key`.
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
    const auto worst = *std::ranges::max_element(group.members, [&](std::size_t a, std::size_t b) {
      return outputs[a].metrics && outputs[b].metrics &&
             outputs[a].metrics->max_abs < outputs[b].metrics->max_abs;
    });
    shown.push_back(outputs[worst]);
    shown.back().name = group.name;
  }
  return shown;
}

/// A row of the table, cell by cell.
std::vector<std::string> row_of(const OutputReport& output, const VerifyReport& report) {
  std::vector<std::string> row{escape(title_of(output, report)),
                               change(side_shape(output.reference), side_shape(output.candidate)),
                               change(side_dtype(output.reference), side_dtype(output.candidate))};
  if (const auto& metrics = output.metrics)
    row.insert(row.end(), {metrics->pcc ? number(*metrics->pcc) : "–", number(metrics->max_abs),
                           number(metrics->max_rel), std::to_string(output.mismatched),
                           change(std::to_string(metrics->reference_non_finite.total()),
                                  std::to_string(metrics->candidate_non_finite.total()))});
  else
    row.insert(row.end(), 5, "–");
  row.push_back(output.passed() ? "same" : failed_checks(output));
  return row;
}

/// `same: 3 outputs agree` or `different: 1 of 3 outputs`
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

/// The op where the two diverge, if that is known.
const OpComparison* first_divergent(const VerifyReport& report) {
  const auto found =
      std::ranges::find_if(report.ops, [](const OpComparison& op) { return op.first_divergent; });
  return found == report.ops.end() ? nullptr : &*found;
}

/// `conv2d_3 (layer1.0.conv1) at resnet.py:93:14`
std::string op_text(const OpComparison& op) {
  std::string text = op.op;
  if (!op.module.empty()) text += " (" + op.module + ")";
  if (!op.source.empty()) text += " at " + op.source;
  return text;
}

/// Writes the report for a terminal.
class TextReport {
public:
  TextReport(const VerifyReport& report, bool color) : report_(report), paint_(color) {}

  std::string write() {
    head();
    table();
    for (const OutputReport& output : report_.outputs) details(output);
    for (const Incident& incident : report_.incidents) write_incident(incident);
    layers();
    divergence();
    for (const ToleranceAdvice& advice : report_.advice)
      line(paint_.cyan("tolerance") + " for " + escape(advice.output) + ": " +
           (advice.flags.empty() ? "" : paint_.bold(escape(advice.flags)) + ", ") +
           escape(advice.message));
    for (const std::string& text : report_.notes) note(text);
    const std::string words = conclusion(report_);
    line(report_.passed() ? paint_.green(words) : paint_.red(words));
    return std::move(text_);
  }

private:
  void line(const std::string& words) { text_ += words + "\n"; }
  void note(const std::string& words) { line("  = " + paint_.bold("note") + ": " + escape(words)); }

  void head() {
    if (report_.reference.empty() && report_.candidate.empty()) return;
    std::string words = "comparing " + escape(report_.candidate);
    if (!report_.backend.empty() && report_.backend != report_.candidate)
      words += " (" + escape(report_.backend) + ")";
    words += " with the reference " + escape(report_.reference);
    if (!report_.reference_backend.empty()) words += " (" + escape(report_.reference_backend) + ")";
    line(words + ", checker " + escape(report_.checker));
    for (std::size_t i = 0; i < report_.sample_names.size(); ++i)
      if (!report_.sample_names[i].empty())
        line("  sample " + std::to_string(i) + ": " + escape(report_.sample_names[i]));
    line("");
  }

  void table() {
    if (report_.outputs.empty()) return;
    std::vector<std::vector<std::string>> rows{{"output", "shape", "dtype", "PCC", "max|d|",
                                                "max rel", "mismatched", "NaN/Inf", "verdict"}};
    std::vector<bool> passed;
    for (const OutputReport& output : shown_outputs(report_)) {
      rows.push_back(row_of(output, report_));
      passed.push_back(output.passed());
    }
    const std::vector<std::string> lines =
        align_columns(rows, {false, false, false, true, true, true, true, true, false});
    line(paint_.bold(lines.front()));
    for (std::size_t i = 1; i < lines.size(); ++i)
      line(passed[i - 1] ? lines[i] : paint_.red(lines[i]));
    line("");
  }

  void details(const OutputReport& output) {
    if (output.passed() && output.notes.empty()) return;
    const std::string title = escape(title_of(output, report_));
    line(output.passed() ? paint_.green("same") + ": " + title
                         : paint_.red("different") + ": " + title);
    for (const Verdict& verdict : output.verdicts)
      if (!verdict.passed)
        line("  = " + paint_.bold(verdict.check) + ": " + escape(verdict.message));
    if (!output.passed() && output.metrics) worst_elements(*output.metrics);
    for (const std::string& text : output.notes) note(text);
    line("");
  }

  void worst_elements(const Metrics& metrics) {
    std::vector<std::vector<std::string>> rows{{"at", "reference", "candidate", "difference"}};
    const auto add = [&](const std::vector<Element>& elements) {
      for (const Element& element : elements)
        rows.push_back({index_text(element.index), number(element.reference),
                        number(element.candidate), number(element.difference)});
    };
    add(metrics.non_finite_samples);
    add(metrics.worst);
    if (rows.size() == 1) return;
    line("  = " + paint_.bold("worst elements") + ":");
    for (const std::string& row : align_columns(rows, {false, true, true, true}))
      line("      " + row);
  }

  /// What a program printed stands below what is said about it.
  static std::string lines_below(const std::string& message) {
    return boost::replace_all_copy(escape_lines(message), "\n", "\n  | ");
  }

  void write_incident(const Incident& incident) {
    line((incident.failure ? paint_.red("error") : paint_.yellow("warning")) + ": " +
         to_string(incident.kind) + ": " + lines_below(incident.message));
    if (!incident.hint.empty()) line("  = " + paint_.cyan("help") + ": " + escape(incident.hint));
    line("");
  }

  /// The layers of a quantised model that add the most error: those to keep in float.
  void layers() {
    constexpr std::size_t max_rows = 10;
    std::vector<const OpComparison*> layers;
    for (const OpComparison& op : report_.ops)
      if (op.introduced_sqnr) layers.push_back(&op);
    if (layers.empty()) return;
    std::ranges::stable_sort(layers, [](const auto* one, const auto* other) {
      return *one->introduced_sqnr < *other->introduced_sqnr;
    });
    std::vector<std::vector<std::string>> rows{
        {"layer", "type", "adds SQNR dB", "adds max|d|", "SQNR dB", "max|d|"}};
    for (std::size_t i = 0; i < std::min(max_rows, layers.size()); ++i) {
      const OpComparison& op = *layers[i];
      rows.push_back({escape(op.op), escape(op.type), number(*op.introduced_sqnr),
                      number(op.introduced.value_or(0)), number(op.sqnr.value_or(0)),
                      number(op.error)});
    }
    line(paint_.bold("layers by the error that each adds") +
         ", max|d| as part of the greatest value:");
    for (const std::string& row : align_columns(rows, {false, false, true, true, true, true}))
      line("  " + row);
    if (layers.size() > max_rows)
      line("  … and " + std::to_string(layers.size() - max_rows) + " that add less");
    line("");
  }

  void divergence() {
    const OpComparison* op = first_divergent(report_);
    if (op == nullptr) return;
    line(paint_.red("first difference") + ": " + escape(op_text(*op)));
    if (op->error <= op->tolerance) return line(""); // correct itself: notes say what becomes of it
    note(std::isfinite(op->error)
             ? "its error is " + number(op->error) + " of the greatest value, where " +
                   number(op->tolerance) + " is allowed"
             : "the candidate computes nothing like its result");
    if (!op->candidate.empty()) note("the candidate has `" + op->candidate + "` in its place");
    if (op->introduced && std::isfinite(*op->introduced))
      note("fed with the reference's own inputs it is off by " + number(*op->introduced) +
           (*op->introduced > op->tolerance ? ": the op itself introduces it"
                                            : ": the op passes on what came before"));
    line("");
  }

  const VerifyReport& report_;
  Paint paint_;
  std::string text_;
};

} // namespace

std::string render_text(const VerifyReport& report, bool color) {
  return TextReport(report, color).write();
}

} // namespace model_validator::verify
