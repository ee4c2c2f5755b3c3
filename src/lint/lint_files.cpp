#include "lint/lint_files.h"

#include "libraries/front_end_library.h"
#include "lint/reader_confinement.h"
#include "lint/result_bytes.h"
#include "lint/source_lines.h"
#include "lint/standard_input.h"
#include "lint/tool_rules.h"
#include "text/printed_lines.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace model_validator {
namespace {

using process::WorkerProcess;
using process::WorkerResult;
using std::chrono::milliseconds;

/// A report of a hundred thousand findings is smaller. What it becomes in memory is larger.
constexpr std::size_t max_result_size = std::size_t{128} << 20;

/// Exit status 3 is for faults that no file can cause alone.
bool is_fault(const Error& error) { return error.kind() == ErrorKind::internal_error; }

bool is_rule_of(const FileTask& task, const std::string& rule) {
  const auto& checks = task.settings->enabled;
  const auto tools = tool_rules();
  return std::ranges::any_of(checks,
                             [&](const Validator* check) { return check->info().name == rule; }) ||
         std::ranges::any_of(tools, [&](const RuleInfo& each) { return each.name == rule; });
}

/// What a reader sends is trusted no more than the file that it has read: it may say anything about
/// that file, and nothing about another.
FileResult read_result(const FileTask& task, std::string_view bytes) {
  if (bytes.size() > max_result_size)
    throw Error(ErrorKind::too_large, task.file.name,
                "its report takes more than " + std::to_string(max_result_size >> 20) + " MB",
                "select fewer rules with `--select`");
  FileResult result;
  try {
    result = result_from(bytes);
  } catch (const std::exception&) {
    throw process::unreadable_result(task.file.name);
  }
  result.report.path = task.file.name;
  std::map<std::string, bool> known;
  std::erase_if(result.report.findings, [&](const Diagnostic& finding) {
    const auto [rule, fresh] = known.try_emplace(finding.rule);
    if (fresh) rule->second = is_rule_of(task, finding.rule);
    return !rule->second;
  });
  return result;
}

void drop_long_lines(std::vector<Diagnostic>& findings) {
  for (Diagnostic& finding : findings)
    for (DiagnosticLocation& location : finding.locations)
      if (location.code.size() > max_line_length) location.code.clear();
}

FileResult finished(const FileTask& task, const process::ReadingPolicy& policy,
                    const WorkerResult& ended) {
  if (ended.ending != WorkerResult::Ending::done) {
    Error error = error_of(ended, task.file.name, policy);
    const bool fault = is_fault(error);
    return failed_result(task, std::move(error), fault);
  }
  FileResult result;
  try {
    result = result_of_reader(task, ended.bytes);
  } catch (const Error& error) {
    return failed_result(task, error, false);
  }
  result.printed = printed_lines(ended.printed);
  return result;
}

class LintRun {
public:
  LintRun(const std::vector<FileTask>& tasks, const ReadOptions& options, const LintPolicy& policy,
          const std::function<void(FileResult)>& done)
      : tasks_(tasks), options_(options), policy_(policy), done_(done), results_(tasks.size()),
        requests_(tasks.size()) {
    if (policy_.jobs == 0) policy_.jobs = std::max(1U, std::thread::hardware_concurrency());
  }

  std::size_t run(const std::stop_token& stop) {
    while (!stop.stop_requested() && (next_ < tasks_.size() || !running_.empty())) {
      while (running_.size() < policy_.jobs && next_ < tasks_.size()) start(next_++);
      wait();
      take_finished();
      hand_over();
    }
    running_.clear();
    for (; first_ < results_.size(); ++first_) hand_over();
    return handed_over_;
  }

private:
  struct Running {
    std::size_t task;
    std::unique_ptr<WorkerProcess> process;
  };

  /// The task, with standard input in a file that it can be read from.
  FileTask task(std::size_t index) const {
    FileTask named = tasks_[index];
    if (input_ && named.file.name == "-") named.file.path = input_->path();
    return named;
  }

  void start(std::size_t index) {
    const FileTask& given = tasks_[index];
    if (given.file.error || (given.file.name == "-" && !take_standard_input(index))) {
      if (!results_[index]) results_[index] = lint_file(given, options_);
      return;
    }
    try {
      const FileTask named = task(index);
      running_.push_back({index, std::make_unique<WorkerProcess>(
                                     [&] { return to_bytes(lint_file(named, options_)); },
                                     confinement_of_reader({named.file.path}, files_beside(named),
                                                           policy_for(named)))});
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::no_sandbox) throw;
      results_[index] = failed_result(given, error, is_fault(error));
    }
  }

  process::ReadingPolicy policy_for(const FileTask& task) const {
    process::ReadingPolicy policy = policy_.reading;
    policy.sandbox = task.settings->sandbox;
    return policy;
  }

  /// Inputs that the user names are read with the model.
  static std::vector<std::filesystem::path> files_beside(const FileTask& task) {
    return task.trace ? task.trace->inputs.files : std::vector<std::filesystem::path>{};
  }

  /// Standard input can be read only once; it is kept here, where nothing ends early.
  bool take_standard_input(std::size_t index) {
    try {
      if (!input_) input_.emplace(STDIN_FILENO);
      return true;
    } catch (const Error& error) {
      results_[index] = failed_result(tasks_[index], error, false);
      return false;
    }
  }

  /// Until a process has a report, the time of one is over, or a stop may be requested.
  void wait() const {
    std::vector<pollfd> ends;
    milliseconds longest = process::patience;
    for (const Running& running : running_) {
      ends.push_back({running.process->descriptor(), POLLIN, 0});
      longest = std::min(longest, running.process->time_left().value_or(longest));
    }
    if (!ends.empty()) ::poll(ends.data(), ends.size(), static_cast<int>(longest.count()));
  }

  void take_finished() {
    std::vector<std::size_t> again;
    std::erase_if(running_, [&](const Running& running) {
      const auto ended = running.process->poll();
      if (!ended) return false;
      if (ended->ending == WorkerResult::Ending::needs_library &&
          requests_[running.task]++ < process::max_requests && load(running.task, ended->bytes))
        again.push_back(running.task);
      else if (!results_[running.task])
        results_[running.task] = finished(tasks_[running.task], policy_.reading, *ended);
      return true;
    });
    for (const std::size_t index : again) start(index);
  }

  bool load(std::size_t index, const std::string& library) {
    try {
      load_for_workers(library, options_);
      return true;
    } catch (const Error& error) {
      const std::string& path = error.path().empty() ? tasks_[index].file.name : error.path();
      results_[index] = failed_result(tasks_[index],
                                      Error(error.kind(), path, error.what(), error.hint()), false);
      return false;
    }
  }

  void hand_over() {
    for (; first_ < results_.size() && results_[first_]; ++first_) {
      FileResult result = std::move(*results_[first_]);
      result.found = tasks_[first_].file.found;
      sources_of(*tasks_[first_].settings)
          .follow(result.report.findings, result.ignores, tasks_[first_].file.path);
      results_[first_].reset();
      done_(std::move(result));
      ++handed_over_;
    }
  }

  SourcesAtHand& sources_of(const Settings& settings) {
    return sources_.try_emplace(&settings, settings.roots()).first->second;
  }

  const std::vector<FileTask>& tasks_;
  const ReadOptions& options_;
  LintPolicy policy_;
  const std::function<void(FileResult)>& done_;
  std::vector<std::optional<FileResult>> results_;
  std::vector<std::size_t> requests_; ///< for libraries, of each task
  std::vector<Running> running_;
  std::optional<StandardInput> input_;
  std::map<const Settings*, SourcesAtHand> sources_; ///< each file is looked for once
  std::size_t next_ = 0;                             ///< the first task not begun
  std::size_t first_ = 0;                            ///< the first result not handed over
  std::size_t handed_over_ = 0;
};

} // namespace

std::size_t lint_files(const std::vector<FileTask>& tasks, const ReadOptions& options,
                       const LintPolicy& policy, const std::stop_token& stop,
                       const std::function<void(FileResult)>& done) {
  return LintRun(tasks, options, policy, done).run(stop);
}

FileResult lint_file_confined(const FileTask& task, const ReadOptions& options,
                              const process::ReadingPolicy& policy) {
  std::optional<FileResult> result;
  lint_files({task}, options, {policy, 1}, {},
             [&](FileResult finished) { result = std::move(finished); });
  return std::move(*result);
}

FileResult result_of_reader(const FileTask& task, std::string_view bytes) {
  FileResult result = read_result(task, bytes);
  result.settings = task.settings;
  drop_long_lines(result.report.findings);
  return result;
}

} // namespace model_validator
