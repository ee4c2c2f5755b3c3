#include "cli/fix/fix_rebuild.h"

#include "cli/fix/fix_findings.h"
#include "cli/fix/fix_report.h"
#include "cli/fix/written_files.h"
#include "files/folder_lock.h"
#include "files/scratch_folder.h"
#include "fixes/bisection.h"
#include "fixes/known_source.h"
#include "text/guarded_output.h"
#include "text/plural.h"

#include <model_validator/error.h>

#include <algorithm>
#include <deque>
#include <iostream>

namespace model_validator::cli {
namespace {

namespace fs = std::filesystem;

using Findings = std::vector<Diagnostic>;

/// Findings that one edit fixes: those of all instances of a class.
using Unit = std::vector<std::size_t>;

constexpr int max_iterations = 10;

std::vector<Diagnostic*> pointers_to(Findings& findings) {
  std::vector<Diagnostic*> pointers;
  for (Diagnostic& finding : findings) pointers.push_back(&finding);
  return pointers;
}

std::string key_of(const std::vector<Edit>& edits) {
  std::string key;
  for (const Edit& edit : edits)
    key += edit.file + '\0' + std::to_string(edit.start.line) + ':' +
           std::to_string(edit.start.column) + '\0' + edit.text + '\0';
  return key;
}

/// In the order of the findings.
std::vector<Unit> units_of(const Findings& planned) {
  std::vector<Unit> units;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    if (!planned[i].fix || planned[i].fix->edits.empty()) continue;
    const auto [entry, fresh] = known.try_emplace(key_of(planned[i].fix->edits), units.size());
    if (fresh) units.emplace_back();
    units[entry->second].push_back(i);
  }
  return units;
}

/// Names of tensors that edits make, which TorchScript saves even so.
std::set<std::string> buffers_of(const Findings& planned) {
  constexpr std::string_view call = "register_buffer(\"";
  std::set<std::string> names;
  for (const Diagnostic& finding : planned)
    for (const Edit& edit : finding.fix->edits)
      if (const auto at = edit.text.find(call); at != std::string::npos) {
        const auto begin = at + call.size();
        names.insert(edit.text.substr(begin, edit.text.find('"', begin) - begin));
      }
  return names;
}

class Rebuilding {
public:
  Rebuilding(const FileTask& task, const CheckOptions& lint, fixes::SourceFiles& files,
             const RebuildOptions& options)
      : task_(task), lint_(lint), files_(files), options_(options),
        proof_(task.file.path, options.proof) {
    write_witness(witness_.path(), options.proof.inputs);
  }

  /// What a later round wrote is undone first.
  ~Rebuilding() {
    while (!rounds_.empty()) rounds_.pop_back();
  }
  Rebuilding(const Rebuilding&) = delete;
  Rebuilding& operator=(const Rebuilding&) = delete;

  RebuildReport run() {
    report_.model = task_.file.name;
    findings_ = find_in(task_.file.path);
    report_.before = findings_;
    for (int rounds = 0; rounds < max_iterations && run_round(); ++rounds) {
    }
    for (WrittenFiles& round : rounds_) round.keep();
    tell_what_is_left();
    report_.samples = proof_.samples();
    report_.tensors = proof_.tensors();
    report_.compared = compared(facts_);
    report_.not_trained = proof_.not_trained();
    report_.export_line = options_.command.line_for(task_.file.path);
    return std::move(report_);
  }

private:
  Findings find_in(const fs::path& model) const {
    FileTask task = task_;
    task.file.path = model;
    return open_findings(find_all({task}, lint_, options_.proof.stop).front());
  }

  Findings planned(Findings findings) const {
    fixes::plan_fixes(pointers_to(findings), files_, options_.plan);
    return findings;
  }

  void tell_what_is_left() {
    fixes::KnownSource source(files_);
    fixes::plan_fixes(pointers_to(findings_), source, options_.plan);
    report_.waiting = waiting_of(pointers_to(findings_), source);
    report_.left = findings_;
  }

  /// @returns whether it changed anything
  bool run_round() {
    Findings open = findings_;
    std::erase_if(open, [&](const auto& finding) { return given_up_.count(finding.fingerprint); });
    fixes::KnownSource source(files_);
    fixes::plan_fixes(pointers_to(open), source, options_.plan);
    const auto units = units_of(open);
    if (units.empty()) return false;
    if (report_.exports == 0) {
      report_.looks = source.looks_at_modules();
      write_looks(std::cerr, report_.looks);
      expect_repeatable_export();
    }
    rounds_.emplace_back();
    good_.reset();
    const auto result = fixes::keep_valid(
        units.size(), [&](const auto& chosen) { return try_units(open, units, chosen); });
    for (const fixes::Rejected& culprit : result.rejected)
      give_up(open, units[culprit.index], culprit.reason);
    put_back();
    if (result.kept.empty()) return false;
    Findings kept = of_units(open, units, result.kept);
    write(kept);
    findings_ = std::move(*good_);
    buffers_.merge(buffers_of(kept));
    report_.kept += result.kept.size();
    return true;
  }

  static Findings of_units(const Findings& findings, const std::vector<Unit>& units,
                           const std::vector<std::size_t>& chosen) {
    Findings some;
    for (const std::size_t unit : chosen)
      for (const std::size_t finding : units[unit]) some.push_back(findings[finding]);
    return some;
  }

  std::optional<std::string> try_units(const Findings& open, const std::vector<Unit>& units,
                                       const std::vector<std::size_t>& chosen) {
    Findings fixed = of_units(open, units, chosen);
    put_back();
    write(fixed);
    const std::string failure = export_and_prove(fixed);
    tell(plural(chosen.size(), "edit") + " of " + std::to_string(units.size()), failure);
    return failure.empty() ? std::nullopt : std::optional(failure);
  }

  std::string export_and_prove(const Findings& fixed) {
    const fs::path model = next_model();
    if (std::string why = options_.command.run(model, witness_.path(), options_.proof.stop);
        !why.empty())
      return why;
    auto buffers = buffers_of(fixed);
    buffers.insert(buffers_.begin(), buffers_.end());
    try {
      Findings after = find_in(model);
      if (std::string why = unexpected_finding(findings_, fixed, after); !why.empty()) return why;
      if (std::string why = proof_.difference(model, buffers); !why.empty()) return why;
      if (std::string why = difference(facts_, facts_of(model)); !why.empty()) return why;
      if (std::string why = run_tests(model); !why.empty()) return why;
      good_ = std::move(after);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      return std::string("the model cannot be read: ") + error.what();
    }
    return {};
  }

  /// What fails with the original source is not an edit's fault. What its network is, those of
  /// edits have to be, too.
  void expect_repeatable_export() {
    const fs::path model = next_model();
    std::string failure = options_.command.run(model, witness_.path(), options_.proof.stop);
    if (!failure.empty())
      throw Error(ErrorKind::rebuild_differs, task_.file.name, "even without an edit, " + failure,
                  "run the command by hand first, with a path of your choice for {output}");
    facts_ = facts_of(model);
    failure = proof_.difference_unedited(model, buffers_);
    tell("no edit", failure);
    if (std::string why = failure.empty() ? run_tests(model) : ""; !why.empty())
      throw Error(ErrorKind::rebuild_differs, task_.file.name, "even without an edit, " + why,
                  "name a command that holds for the source as it is");
    if (!failure.empty())
      throw Error(ErrorKind::rebuild_differs, task_.file.name,
                  "even without an edit, the export does not produce this model: " + failure,
                  "export the model with this command and fixed random seeds, and fix that model");
  }

  std::string run_tests(const fs::path& model) const {
    return options_.command.run_tests(model.string() + ".tests", witness_.path(),
                                      options_.proof.stop);
  }

  /// A model is no longer needed once the next one is made.
  fs::path next_model() {
    const std::string name = "model" + std::to_string(++report_.exports);
    std::error_code ignored;
    fs::remove(model_, ignored);
    return model_ = folder_.path() / (name + task_.file.path.extension().string());
  }

  void write(Findings& fixed) {
    const auto changes = fixes::plan_fixes(pointers_to(fixed), files_, options_.plan);
    expect_none(rounds_.back().write(changes));
  }

  void put_back() { expect_none(rounds_.back().put_back()); }

  static void expect_none(const std::vector<std::string>& left_alone) {
    if (!left_alone.empty())
      throw Error(ErrorKind::source_changed, left_alone.front(),
                  "the file has changed meanwhile, and is left as it is", "run the command again");
  }

  void give_up(const Findings& open, const Unit& unit, const std::string& reason) {
    for (const std::size_t finding : unit) given_up_.insert(open[finding].fingerprint);
    Findings one = planned({open[unit.front()]});
    report_.not_kept.push_back({std::move(one.front()), reason});
  }

  void tell(const std::string& edits, const std::string& failure) const {
    GuardedStream(std::cerr, false)
        << "export " << report_.exports << ", " << edits << ": "
        << (failure.empty() ? "the model is the same" : failure) << '\n';
  }

  /// Of the working folder: no other run may take edits that are not proved yet for source.
  FolderLock lock_{".", std::chrono::milliseconds(0)};
  const FileTask& task_;
  const CheckOptions& lint_;
  fixes::SourceFiles& files_;
  const RebuildOptions& options_;
  Proof proof_;
  ScratchFolder folder_;
  ScratchFolder witness_;
  ExportFacts facts_; ///< of the network without edits
  fs::path model_;
  RebuildReport report_;
  Findings findings_; ///< of the current model
  std::set<std::string> given_up_;
  std::set<std::string> buffers_;
  std::deque<WrittenFiles> rounds_;
  std::optional<Findings> good_; ///< of the last model that was proved
};

} // namespace

std::vector<Waiting> waiting_of(const std::vector<Diagnostic*>& findings,
                                const fixes::KnownSource& source) {
  std::vector<Waiting> waiting;
  for (const Diagnostic* each : findings)
    if (each->fix && !each->fix->hazard.empty() &&
        (each->fix->refusal.empty() || each->fix->refusal == each->fix->hazard))
      waiting.push_back({*each, source.mentions_of(*each)});
  return waiting;
}

RebuildReport rebuild(const FileTask& task, const CheckOptions& lint, fixes::SourceFiles& files,
                      const RebuildOptions& options) {
  options.command.check();
  return Rebuilding(task, lint, files, options).run();
}

} // namespace model_validator::cli
