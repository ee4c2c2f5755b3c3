#pragma once

#include "report/grouped_findings.h"
#include "report/installed_code.h"
#include "report/names.h"
#include "report/repeats.h"
#include "report/report_writer.h"
#include "report/style.h"
#include "report/summary.h"
#include "report/target_sentence.h"
#include "text/escape.h"
#include "text/lists.h"

#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace model_validator {

/// What the reports that people read in a terminal have in common.
class TextReport : public ReportWriter {
protected:
  /// @param grouped  rules whose findings are grouped
  TextReport(std::ostream& out, const Style& style, std::vector<std::string> grouped = {})
      : out_(out), style_(style), paint_(style.color), repeats_(style.verbose ? 0 : 6),
        grouped_(std::move(grouped)) {}

  /// The causes of a model, without those that were reported for another one of the run, and
  /// without those that are reported at the end: in installed packages, and of grouped rules.
  std::vector<Cause> causes_to_print(const ModelReport& report) {
    if (!style_.verbose) installed_.add(report.findings, report.path);
    auto causes = causes_of(report.findings, {style_.show_suppressed, style_.verbose});
    grouped_.take(causes, report.path);
    return repeats_.fresh(std::move(causes), report.path);
  }

  /// What the run is for, before anything else of it. A file that is none is judged for nothing.
  /// @returns whether it was written now
  bool write_notice(const ModelReport& report) {
    if (style_.quiet || style_.notice.empty() || (report.error && !style_.many_models))
      return false;
    if (std::exchange(noticed_, true)) return false;
    out_ << paint_.bold(escape(style_.notice)) << '\n';
    return true;
  }

  /// The file that could not be read.
  static const std::string& unread_file(const ModelReport& report) {
    return report.error->path().empty() ? report.path : report.error->path();
  }

  /// What each target that was asked for makes of a model, in one line, also when all is well. Of
  /// several models, those that are taken are only counted.
  /// @returns whether it wrote a line
  bool write_verdicts(const ModelReport& report, bool blank_line) {
    if (style_.quiet) return false;
    bool wrote = false;
    for (const TargetVerdict& verdict : report.verdicts) {
      count(verdict);
      const bool taken = verdict.verdict == Verdict::taken;
      if (taken && report.asked.empty() && style_.many_models && !style_.verbose) continue;
      if (style_.many_models) out_ << escape(report.path) << ": ";
      const std::string text = escape(style_.verbose ? headline(verdict) : sentence(verdict));
      out_ << (taken ? paint_.green(text) : paint_.bold(text)) << '\n';
      write_beneath(report, verdict);
      wrote = true;
    }
    if (wrote && blank_line) out_ << '\n';
    return wrote;
  }

  /// Called for each model: a file that holds none is told of at the end.
  bool holds_no_model(const ModelReport& report) {
    if (report.status != ModelStatus::no_model) return false;
    no_models_.push_back("`" + report.path + "` (" + report.error->what() + ")");
    return true;
  }

  void write_end(const RunSummary& summary) {
    write_excused();
    if (style_.statistics) out_ << statistics(summary);
    write_tally();
    if (style_.quiet) return;
    if (!no_models_.empty())
      out_ << "Passed over: "
           << escape(first_in_words(no_models_, style_.verbose ? no_models_.size() : 3)) << ".\n";
    if (const std::string text = not_judged(summary); !text.empty()) out_ << text << '\n';
  }

private:
  void count(const TargetVerdict& verdict) {
    const auto [entry, fresh] = verdicts_.try_emplace(verdict.target);
    if (fresh) targets_.push_back(verdict.target);
    ++entry->second[word_for(verdict)];
  }

  void write_beneath(const ModelReport& report, const TargetVerdict& verdict) {
    std::vector<std::string> lines;
    if (style_.verbose) lines = conditions_of(verdict);
    for (std::string& line : asked_in_words(report, verdict.target))
      lines.push_back(std::move(line));
    for (const std::string& line : lines) out_ << "  " << escape(line) << '\n';
  }

  /// What becomes of the models: `openvino: 25 taken, 1 taken under conditions, 4 refused of 30`.
  void write_tally() {
    if (style_.quiet || !style_.many_models) return;
    for (const std::string& target : targets_) {
      const auto& counts = verdicts_.at(target);
      std::vector<std::string> parts;
      std::size_t all = 0;
      for (const std::string_view word : {"taken", "taken under conditions", "taken in part",
                                          "not known", "computed wrongly", "refused"})
        if (const auto found = counts.find(word); found != counts.end()) {
          parts.push_back(std::to_string(found->second) + " " + std::string(word));
          all += found->second;
        }
      out_ << paint_.bold(
                  escape(target + ": " + joined(parts, ", ") + " of " + std::to_string(all)))
           << '\n';
    }
  }

  void write_excused() {
    if (style_.quiet) return;
    bool begun = false;
    for (const InstalledFindings& each : installed_.all()) {
      if (!each.excused) continue;
      if (!std::exchange(begun, true)) out_ << of_excused << ":\n";
      out_ << "  " << label_of(each.first, paint_) << ' ' << each.first.rule << ": "
           << escape(each.line()) << '\n';
    }
  }

  bool noticed_ = false;
  std::vector<std::string> no_models_; ///< with what they hold
  std::vector<std::string> targets_;   ///< in the order in which they were judged
  std::map<std::string, std::map<std::string_view, std::size_t>> verdicts_; ///< of each, by word

protected:
  std::ostream& out_;
  const Style style_;
  const Paint paint_;
  Repeats repeats_;         ///< what several models of the run have in common
  InstalledCode installed_; ///< what stands in code that the user cannot edit
  GroupedFindings grouped_; ///< what is told in a line for each rule where it is much
};

} // namespace model_validator
