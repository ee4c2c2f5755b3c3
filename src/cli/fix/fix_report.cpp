#include "cli/fix/fix_report.h"

#include "files/json_text.h"
#include "text/escape.h"
#include "text/lists.h"
#include "text/plural.h"

#include <filesystem>
#include <iomanip>
#include <map>

namespace model_validator::cli {
namespace {

constexpr std::size_t max_shown_mentions = 5, max_shown_looks = 20;

/// From the working folder, where it lies beneath it.
std::string short_path(const std::string& path) {
  const auto relative =
      std::filesystem::path(path).lexically_relative(std::filesystem::current_path());
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

struct RuleCounts {
  std::size_t before = 0;
  std::size_t left = 0;
};

std::map<std::string, RuleCounts> counts_of(const RebuildReport& report) {
  std::map<std::string, RuleCounts> counts;
  for (const Diagnostic& finding : report.before) ++counts[finding.rule].before;
  for (const Diagnostic& finding : report.left) ++counts[finding.rule].left;
  return counts;
}

/// Whether it has edits that are not made without their author's word.
bool is_waiting(const Diagnostic& finding) {
  return finding.fix && finding.fix->edits.empty() && !finding.fix->hazard.empty() &&
         finding.fix->refusal == finding.fix->hazard;
}

std::string reason_of(const Diagnostic& finding) {
  if (!finding.fix || !finding.fix->rewrite) return "no source edit is known for it";
  if (is_waiting(finding)) return "it waits for `--write-mentioned`: " + finding.fix->hazard;
  return finding.fix->refusal.empty() ? "its edit waits for others" : finding.fix->refusal;
}

std::string reason_of(const Diagnostic& finding, const RebuildReport& report) {
  for (const NotKept& edit : report.not_kept)
    if (edit.finding.fingerprint == finding.fingerprint) return edit.reason;
  return reason_of(finding);
}

using Counts = std::map<std::string, std::size_t>;

/// How many are left for each reason.
Counts reasons_of(const RebuildReport& report) {
  Counts counts;
  for (const Diagnostic& finding : report.left) ++counts[reason_of(finding, report)];
  return counts;
}

/// A rebuild adds nothing, so what is not left was fixed.
std::size_t fixed(const RuleCounts& counts) {
  return counts.before - std::min(counts.before, counts.left);
}

std::string place_of(const Diagnostic& finding) {
  if (finding.locations.empty()) return finding.module;
  const SourceLocation& source = finding.locations.front().source;
  return source.file + ':' + std::to_string(source.line);
}

void write_counts(std::ostream& out, const RebuildReport& report) {
  constexpr int name = 24, number = 8;
  out << "  " << std::left << std::setw(name) << "rule" << std::right << std::setw(number)
      << "before" << std::setw(number) << "fixed" << std::setw(number) << "left" << '\n';
  for (const auto& [rule, counts] : counts_of(report))
    out << "  " << std::left << std::setw(name) << rule << std::right << std::setw(number)
        << counts.before << std::setw(number) << fixed(counts) << std::setw(number) << counts.left
        << '\n';
}

void write_reasons(std::ostream& out, const Counts& counts) {
  for (const auto& [reason, count] : most_frequent_first(counts))
    out << std::setw(6) << count << "  " << escape(reason) << '\n';
}

void write_reasons(std::ostream& out, const RebuildReport& report) {
  if (report.left.empty()) return;
  out << "\n  left because\n";
  write_reasons(out, reasons_of(report));
}

void write_not_kept(std::ostream& out, const RebuildReport& report) {
  if (report.not_kept.empty()) return;
  out << "\n  taken back\n";
  for (const NotKept& edit : report.not_kept)
    out << "    " << place_of(edit.finding) << ": " << edit.finding.fix->description << "\n      "
        << edit.reason << '\n';
}

void write_proof(std::ostream& out, const RebuildReport& report) {
  out << "\n  " << plural(report.kept, "edit") << ", proved by " << plural(report.exports, "export")
      << '\n'
      << "    findings    no fixed finding is back, and none is new\n"
      << "    outputs     every bit is the same, " << plural(report.samples, "sample") << '\n'
      << "    training    "
      << (report.not_trained.empty() ? "every bit is the same, with a fixed random seed"
                                     : "not compared: " + report.not_trained)
      << '\n'
      << "    state       " << plural(report.tensors, "tensor")
      << (report.tensors == 1 ? " is the same\n" : " are the same\n");
  for (const auto& [name, holds] : report.compared.same)
    out << "    " << std::left << std::setw(12) << name << std::right << holds << '\n';
  out << "    not proved  " << list_in_words(report.compared.not_compared) << '\n';
  out << "\n  the model is as it was; this exports the edited one in its place:\n    "
      << escape(report.export_line) << '\n';
}

void write_mention(std::ostream& out, const fixes::Mention& mention) {
  out << "    " << escape(short_path(mention.path)) << ':' << mention.line << ": "
      << escape(mention.code) << '\n';
}

/// @param most  that are shown
void write_mentions(std::ostream& out, const std::vector<fixes::Mention>& mentions,
                    std::size_t most) {
  for (std::size_t i = 0; i < mentions.size() && i < most; ++i) write_mention(out, mentions[i]);
  if (mentions.size() > most)
    out << "    and " << mentions.size() - most << " more, which `--output-format json` lists\n";
}

Json json_of(const fixes::Mention& mention) {
  return {{"file", mention.path}, {"line", mention.line}, {"code", mention.code}};
}

/// What was compared of the networks, beyond their files.
Json names_of(const Compared& compared) {
  return json_array(compared.same, [](const auto& line) { return line.first; });
}

Json json_of(const NotKept& edit) {
  return {{"place", place_of(edit.finding)},
          {"edit", edit.finding.fix->description},
          {"reason", edit.reason}};
}

Json json_of(const Waiting& waiting) {
  const auto mention = [](const fixes::Mention& each) { return json_of(each); };
  return {{"place", place_of(waiting.finding)},
          {"edit", waiting.finding.fix->description},
          {"reason", waiting.finding.fix->hazard},
          {"mentions", json_array(waiting.mentions, mention)}};
}

Json json_of_finding(const Diagnostic& finding, const fixes::KnownSource& source) {
  Json json{{"rule", finding.rule}, {"module", finding.module}};
  json["op"] = finding.op ? Json(finding.op->type) : Json();
  if (!finding.locations.empty()) {
    json["file"] = finding.locations.front().source.file;
    json["line"] = finding.locations.front().source.line;
  }
  json["refusal"] = finding.fix->refusal;
  json["applicability"] = finding.fix->applicability == Applicability::safe ? "safe" : "unsafe";
  json["hazard"] = finding.fix->hazard;
  json["mentions"] = Json::array();
  if (!finding.fix->hazard.empty())
    for (const fixes::Mention& each : source.mentions_of(finding))
      json["mentions"].push_back(json_of(each));
  json["help"] = finding.help;
  return json;
}

} // namespace

void write_rebuild_text(std::ostream& out, const RebuildReport& report) {
  out << report.model << '\n';
  write_counts(out, report);
  write_reasons(out, report);
  write_not_kept(out, report);
  if (!report.waiting.empty()) out << '\n';
  write_waiting(out, report.waiting);
  if (report.kept > 0) write_proof(out, report);
}

void write_rebuild_json(std::ostream& out, const RebuildReport& report) {
  const auto rule = [](const auto& each) {
    const auto& [name, counts] = each;
    return Json{
        {"rule", name}, {"before", counts.before}, {"fixed", fixed(counts)}, {"left", counts.left}};
  };
  const auto reason = [](const auto& each) {
    return Json{{"reason", each.first}, {"count", each.second}};
  };
  const Json json{
      {"schema", "model_validator-fix/1"},
      {"model", report.model},
      {"rules", json_array(counts_of(report), rule)},
      {"left", json_array(most_frequent_first(reasons_of(report)), reason)},
      {"taken_back",
       json_array(report.not_kept, [](const NotKept& each) { return json_of(each); })},
      {"waiting", json_array(report.waiting, [](const Waiting& each) { return json_of(each); })},
      {"looks", json_array(report.looks, [](const fixes::Mention& each) { return json_of(each); })},
      {"export", report.kept > 0 ? Json(report.export_line) : Json()},
      {"proof",
       {{"exports", report.exports},
        {"edits", report.kept},
        {"samples", report.samples},
        {"tensors", report.tensors},
        {"same", names_of(report.compared)},
        {"not_compared", report.compared.not_compared},
        {"training", report.not_trained.empty()},
        {"not_trained", text_or_null(report.not_trained)}}}};
  out << json_text(json, 1) << '\n';
}

void write_left(std::ostream& out, const std::vector<Diagnostic*>& findings) {
  Counts counts;
  std::size_t left = 0;
  for (const Diagnostic* finding : findings) {
    if ((finding->fix && !finding->fix->edits.empty()) || is_waiting(*finding)) continue;
    ++counts[reason_of(*finding)];
    ++left;
  }
  if (left == 0) return;
  out << plural(left, "finding") << (left == 1 ? " is" : " are") << " left as "
      << (left == 1 ? "it is" : "they are") << ":\n";
  write_reasons(out, counts);
}

void write_waiting(std::ostream& out, const std::vector<Waiting>& waiting) {
  if (waiting.empty()) return;
  std::map<std::pair<std::string, std::string>, std::vector<const Waiting*>> alike;
  for (const Waiting& each : waiting)
    alike[{place_of(each.finding), each.finding.fix->hazard}].push_back(&each);
  out << "the edits of " << plural(waiting.size(), "finding")
      << " wait for `--write-mentioned`, as what they touch is named elsewhere:\n";
  for (const auto& [key, some] : alike) {
    const Waiting& first = *some.front();
    out << "  " << escape(short_path(key.first)) << ": "
        << escape(first.mentions.empty() ? key.second : first.finding.fix->description) << '\n';
    write_mentions(out, first.mentions, max_shown_mentions);
  }
}

void write_looks(std::ostream& out, const std::vector<fixes::Mention>& looks) {
  if (looks.empty()) return;
  out << "code that looks at all modules, or at their classes, may see new ones; only what the "
         "export and `--prove-with` run of it is proved:\n";
  write_mentions(out, looks, max_shown_looks);
}

void write_pickle_note(std::ostream& out) {
  out << "note: a whole model that was pickled before (`torch.save(model, …)`) lacks the new "
         "modules; a `state_dict` loads as before\n";
}

void write_fixes_json(std::ostream& out, std::vector<Diagnostic*> findings,
                      const fixes::KnownSource& source) {
  std::erase_if(findings, [](const Diagnostic* finding) { return !finding->fix; });
  const auto finding = [&](const Diagnostic* each) { return json_of_finding(*each, source); };
  out << json_text(json_array(findings, finding), 1) << '\n';
}

} // namespace model_validator::cli
