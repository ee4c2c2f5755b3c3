#include "report/cause.h"
#include "report/formats.h"
#include "report/grouped_findings.h"
#include "report/installed_code.h"
#include "report/markdown_text.h"
#include "report/names.h"
#include "report/target_sentence.h"
#include "text/plural.h"

#include <algorithm>
#include <ostream>
#include <utility>

namespace model_validator {
namespace {

/// A summary is limited to 1 MB, and nobody reads more.
constexpr std::size_t max_causes = 100;

constexpr auto in_cell = MarkdownPlace::cell;

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

/// A summary for people in Markdown, as a build server or a pull request shows it: what is new,
/// what is gone and what remains of the baseline.
class Markdown final : public ReportWriter {
public:
  Markdown(std::ostream& out, const Style& style)
      : out_(out), notice_(style.notice),
        grouped_(style.verbose ? std::vector<std::string>{} : style.grouped_rules) {}

  void add(const ModelReport& report) override {
    for (const TargetVerdict& verdict : report.verdicts) add_target(verdict.target);
    models_.push_back(report);
    models_.back().documents = {};
    installed_.add(report.findings, report.path);
    known_ += known(report);
  }

  void end(const RunSummary& summary) override {
    const std::size_t found = summary.errors + summary.warnings + summary.infos;
    const bool compared = known_ + summary.baseline_gone > 0;
    out_ << "### " << plural(found, compared ? "new finding" : "finding") << " in "
         << plural(summary.models, "model") << "\n\n";
    if (!notice_.empty()) out_ << markdown_text(notice_) << "\n\n";
    if (compared)
      out_ << row({"new", "fixed", "remaining"}) << row({"---:", "---:", "---:"})
           << row({std::to_string(found), std::to_string(summary.baseline_gone),
                   std::to_string(known_)})
           << "\n";
    write_models();
    write_findings();
    if (const std::string text = not_judged(summary); !text.empty())
      out_ << markdown_text(text) << "\n\n";
    out_ << markdown_text(sentence(summary)) << "\n";
  }

private:
  static std::size_t known(const ModelReport& report) {
    return static_cast<std::size_t>(
        std::ranges::count_if(report.findings, [](const Diagnostic& finding) {
          return finding.suppressed && finding.suppressed->by == "baseline";
        }));
  }

  void add_target(const std::string& target) {
    if (std::ranges::find(targets_, target) == targets_.end()) targets_.push_back(target);
  }

  void write_models() {
    std::vector<std::string> titles{"model", "errors", "warnings", "info", "known"};
    for (const std::string& target : targets_) titles.push_back(markdown_text(target, in_cell));
    std::vector<std::string> rule(titles.size(), "---");
    std::fill(rule.begin() + 1, rule.begin() + 5, "---:");
    out_ << row(titles) << row(rule);
    for (const ModelReport& report : models_) out_ << row(cells_of(report));
    out_ << "\n";
  }

  std::vector<std::string> cells_of(const ModelReport& report) const {
    if (report.error) {
      std::vector<std::string> cells(5 + targets_.size());
      cells[0] =
          markdown_code(report.path, in_cell) +
          (report.status == ModelStatus::no_model ? " holds no model: " : " could not be read: ") +
          markdown_text(report.error->what(), in_cell);
      return cells;
    }
    RunSummary counts;
    counts.add(report);
    std::vector<std::string> cells{markdown_code(report.path, in_cell),
                                   std::to_string(counts.errors), std::to_string(counts.warnings),
                                   std::to_string(counts.infos), std::to_string(known(report))};
    for (const std::string& target : targets_) {
      const auto verdict = std::ranges::find_if(
          report.verdicts, [&](const TargetVerdict& each) { return each.target == target; });
      cells.push_back(
          verdict == report.verdicts.end() ? "" : markdown_text(what_it_does(*verdict), in_cell));
    }
    return cells;
  }

  /// With the models. The worst come first, since not all are written.
  std::vector<std::pair<Cause, std::string>> causes_of_all() {
    std::vector<std::pair<Cause, std::string>> causes;
    for (const ModelReport& report : models_) {
      auto left = causes_of(report.findings, {});
      grouped_.take(left, report.path);
      for (Cause& cause : left) causes.emplace_back(std::move(cause), report.path);
    }
    for (const GroupedFindings::OfModel& each : grouped_.few())
      for (Cause& cause : causes_of(each.findings, {}))
        causes.emplace_back(std::move(cause), each.model);
    std::ranges::stable_sort(causes, [](const auto& a, const auto& b) {
      return a.first.first->severity > b.first.first->severity;
    });
    return causes;
  }

  void write_findings() {
    const auto causes = causes_of_all();
    const std::size_t written = std::min(causes.size(), max_causes);
    for (std::size_t i = 0; i < written; ++i) write_cause(causes[i].first, causes[i].second);
    if (causes.size() > written)
      out_ << "- and " << plural(causes.size() - written, "more cause") << "\n";
    const std::vector<FindingGroup> groups = grouped_.groups();
    for (const FindingGroup& group : groups)
      out_ << "- **" << to_string(group.first.severity) << "** " << markdown_code(group.first.rule)
           << " " << markdown_text(line_of(group)) << "\n";
    for (const InstalledFindings& each : installed_.all()) write_installed(each);
    if (written + groups.size() + installed_.all().size() > 0) out_ << "\n";
    if (!groups.empty()) out_ << title_of_groups << ": " << after_groups << "\n\n";
  }

  void write_installed(const InstalledFindings& each) {
    out_ << "- **" << to_string(each.first.severity) << "** "
         << (each.excused ? "(not counted) " : "") << markdown_code(each.first.rule) << " "
         << markdown_code(models_of(each, 3)) << " " << markdown_text(each.headline());
    if (const std::string what = each.what(); !what.empty())
      out_ << " (" << markdown_text(what) << ")";
    out_ << "\n";
  }

  void write_cause(const Cause& cause, const std::string& model) {
    const Diagnostic& finding = *cause.first;
    out_ << "- **" << to_string(finding.severity) << "** " << markdown_code(finding.rule) << " "
         << markdown_code(place_of(finding, model)) << " " << markdown_text(finding.message);
    if (const std::string others = others_note(cause, 3); !others.empty())
      out_ << " (" << markdown_text(others) << ")";
    if (!finding.help.empty()) out_ << "<br>help: " << markdown_text(finding.help);
    out_ << "\n";
  }

  std::ostream& out_;
  const std::string notice_;
  GroupedFindings grouped_;
  std::vector<ModelReport> models_;
  InstalledCode installed_;
  std::vector<std::string> targets_; ///< in the order in which they were judged
  std::size_t known_ = 0;            ///< findings of the baseline that are still there
};

} // namespace

std::unique_ptr<ReportWriter> make_markdown(std::ostream& out, const Style& style, const Rules&) {
  return std::make_unique<Markdown>(out, style);
}

} // namespace model_validator
