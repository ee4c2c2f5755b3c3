#include "report/style.h"
#include "text/columns.h"
#include "text/escape.h"
#include "text/lists.h"
#include "text/plural.h"
#include "verify/compare/words.h"
#include "verify/report/shown_outputs.h"

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

std::string failed_checks(const OutputReport& output) {
  std::string names;
  for (const Verdict& verdict : output.verdicts)
    if (!verdict.passed) names += (names.empty() ? "" : ", ") + verdict.check;
  return names;
}

/// A row of the table, cell by cell.
std::vector<std::string> row_of(const ShownOutput& shown) {
  const OutputReport& output = *shown.output;
  std::vector<std::string> row{escape(shown.title),
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

/// ` over 2 samples in 3 steps`
std::string extent(const VerifyReport& report) {
  std::string words =
      report.samples > 1 ? " over " + std::to_string(report.samples) + " samples" : "";
  if (report.steps > 1) words += " in " + std::to_string(report.steps) + " steps";
  return words;
}

std::string outputs_agree(const VerifyReport& report) {
  const std::size_t outputs = report.outputs.size();
  return plural(outputs, "output") + (outputs == 1 ? " agrees" : " agree") + extent(report);
}

/// `2 errors (crash, values)`
std::string errors_besides(const VerifyReport& report) {
  std::vector<std::string> kinds;
  for (const Incident& incident : report.incidents)
    if (const std::string kind = to_string(incident.kind);
        incident.failure && std::ranges::find(kinds, kind) == kinds.end())
      kinds.push_back(kind);
  const auto count = std::ranges::count_if(report.incidents, &Incident::failure);
  return plural(static_cast<std::size_t>(count), "error") + " (" + joined(kinds, ", ") + ")";
}

/// `same: 3 outputs agree` or `different: 1 of 3 outputs`
std::string conclusion(const VerifyReport& report) {
  const std::size_t outputs = report.outputs.size(), failed = failures(report);
  if (report.passed() && outputs == 0) return "same: nothing was compared";
  if (report.passed())
    return (report.precision.empty() ? "same" : "same, in " + report.precision) +
           (report.machine.empty() ? ": " : ", as written: ") + outputs_agree(report) +
           (report.machine.empty() ? "" : "; " + report.machine);
  if (failed > 0)
    return "different: " + std::to_string(failed) + " of " + plural(outputs, "output") +
           extent(report);
  if (outputs == 0) return "not compared: " + errors_besides(report);
  return "different: " + errors_besides(report) + ", though " + outputs_agree(report);
}

/// The op where the two diverge, if that is known.
const OpComparison* first_divergent(const VerifyReport& report) {
  const auto found =
      std::ranges::find_if(report.ops, [](const OpComparison& op) { return op.first_divergent; });
  return found == report.ops.end() ? nullptr : &*found;
}

/// `conv2d_3 (layer1.0.conv1) at resnet.py:93:14`; of an ONNX file, which calls it otherwise than
/// the graph does, `node_conv (conv2d_3, layer1.0.conv1)`
std::string op_text(const OpComparison& op) {
  std::string text = op.op, beside = op.graph_op == op.op ? "" : op.graph_op;
  if (!op.module.empty()) beside += (beside.empty() ? "" : ", ") + op.module;
  if (!beside.empty()) text += " (" + beside + ")";
  if (!op.source.empty()) text += " at " + op.source;
  return text;
}

/// Writes the report for a terminal.
class TextReport {
public:
  TextReport(const VerifyReport& report, bool color, Detail detail)
      : report_(report), paint_(color), detail_(detail), shown_(shown_outputs(report, detail)) {}

  std::string write() {
    if (detail_ != Detail::verdict) head();
    table();
    if (detail_ == Detail::all)
      for (const OutputReport& output : report_.outputs) details(output, title_of(output, report_));
    else
      for (const ShownOutput& shown : shown_) details(*shown.output, shown.title);
    for (const Incident& incident : report_.incidents)
      if (incident.failure || detail_ != Detail::verdict) write_incident(incident);
    if (detail_ != Detail::verdict) layers();
    divergence();
    for (const ToleranceAdvice& advice : report_.advice)
      line(paint_.cyan("tolerance") + " for " + escape(advice.output) + ": " +
           (advice.flags.empty() ? "" : paint_.bold(escape(advice.flags)) + ", ") +
           escape(advice.message));
    if (detail_ != Detail::verdict)
      for (const std::string& text : report_.notes) note(text);
    coverage();
    const std::string words = conclusion(report_);
    line(report_.passed() ? paint_.green(words) : paint_.red(words));
    return std::move(text_);
  }

private:
  static std::string reached(std::size_t some, std::size_t all) {
    return std::to_string(some) + " of " + std::to_string(all);
  }

  bool misses_branches() const {
    return report_.coverage && report_.coverage->branches_run < report_.coverage->branches;
  }

  /// What no sample reached, in one line.
  void coverage() {
    if (!report_.coverage) return;
    constexpr std::size_t most = 6;
    const auto& [branches, branches_run, bounds, bounds_met, missed] = *report_.coverage;
    std::string words = branches == 0 ? "" : reached(branches_run, branches) + " branches";
    if (bounds != 0) words += (words.empty() ? "" : ", ") + reached(bounds_met, bounds) + " bounds";
    words += " reached";
    for (std::size_t i = 0; i < std::min(most, missed.size()); ++i)
      words += (i == 0 ? "; " : ", ") + escape(missed[i]);
    if (missed.size() > most) words += " and " + std::to_string(missed.size() - most) + " more";
    line(words);
  }

  void line(const std::string& words) { text_ += words + "\n"; }
  void note(const std::string& words) { line("  = " + paint_.bold("note") + ": " + escape(words)); }

  void head() {
    if (!report_.machine.empty()) line(paint_.red(escape(report_.machine)));
    if (report_.reference.empty() && report_.candidate.empty()) return;
    std::string words = "comparing " + escape(report_.candidate);
    if (!report_.backend.empty() && report_.backend != report_.candidate)
      words += " (" + escape(report_.backend) + ")";
    words += " with the reference " + escape(report_.reference);
    if (!report_.reference_backend.empty()) words += " (" + escape(report_.reference_backend) + ")";
    words += ", checker " + escape(report_.checker);
    if (report_.passed() && misses_branches())
      words +=
          "; " + paint_.yellow(reached(report_.coverage->branches_run, report_.coverage->branches) +
                               " branches of the reference were run");
    line(words);
    for (std::size_t i = 0; i < report_.sample_names.size(); ++i)
      if (!report_.sample_names[i].empty())
        line("  sample " + std::to_string(i) + ": " + escape(report_.sample_names[i]));
    line("");
  }

  void table() {
    if (shown_.empty()) return;
    std::vector<std::vector<std::string>> rows{{"output", "shape", "dtype", "PCC", "max|d|",
                                                "max rel", "mismatched", "NaN/Inf", "verdict"}};
    std::vector<bool> passed;
    for (const ShownOutput& shown : shown_) {
      rows.push_back(row_of(shown));
      passed.push_back(shown.output->passed());
    }
    const std::vector<std::string> lines =
        align_columns(rows, {false, false, false, true, true, true, true, true, false});
    line(paint_.bold(lines.front()));
    for (std::size_t i = 1; i < lines.size(); ++i)
      line(passed[i - 1] ? lines[i] : paint_.red(lines[i]));
    line("");
  }

  void details(const OutputReport& output, const std::string& title) {
    if (output.passed() && output.notes.empty()) return;
    line((output.passed() ? paint_.green("same") : paint_.red("different")) + ": " + escape(title));
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

  /// A result that keeps nothing of the reference's has a ratio that no ratio is.
  static std::string decibels(const std::optional<double>& ratio) {
    constexpr double nothing_left = -1000;
    if (!ratio) return "–";
    return *ratio <= nothing_left ? "none left" : number(*ratio);
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
      rows.push_back({escape(op.op), escape(op.type), decibels(op.introduced_sqnr),
                      number(op.introduced.value_or(0)), decibels(op.sqnr), number(op.error)});
    }
    line(paint_.bold("layers by the error that each adds") +
         ", max|d| as part of the greatest value:");
    for (const std::string& row : align_columns(rows, {false, false, true, true, true, true}))
      line("  " + row);
    if (layers.size() > max_rows)
      line("  … and " + std::to_string(layers.size() - max_rows) + " that add less");
    for (const OpComparison* op : layers)
      if (!op->cause.empty()) note(op_text(*op) + ": " + op->cause);
    line("");
  }

  void divergence() {
    const OpComparison* op = first_divergent(report_);
    if (op == nullptr) return;
    line(paint_.red("first difference") + ": " + escape(op_text(*op)));
    if (!op->cause.empty()) note(op->cause);
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
  Detail detail_;
  std::vector<ShownOutput> shown_;
  std::string text_;
};

} // namespace

std::string render_text(const VerifyReport& report, bool color, Detail detail) {
  return TextReport(report, color, detail).write();
}

} // namespace model_validator::verify
