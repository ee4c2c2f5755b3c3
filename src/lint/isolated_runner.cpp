#include "lint/isolated_runner.h"

#include "connected_graph/front_end_library.h"
#include "lint/linting_process.h"
#include "lint/standard_input.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <poll.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace model_validator {
namespace {

using std::chrono::milliseconds;

/// How long a request to stop may go unnoticed.
constexpr milliseconds patience{100};

class IsolatedRun {
public:
  IsolatedRun(const std::vector<FileTask>& tasks, const ReadOptions& options, unsigned jobs,
              milliseconds limit, const std::function<void(FileResult)>& done)
      : tasks_(tasks), options_(options), jobs_(jobs), limit_(limit), done_(done),
        results_(tasks.size()) {
    if (jobs_ == 0) jobs_ = std::max(1U, std::thread::hardware_concurrency());
  }

  std::size_t run(const std::stop_token& stop) {
    while (!stop.stop_requested() && (next_ < tasks_.size() || !running_.empty())) {
      while (running_.size() < jobs_ && next_ < tasks_.size()) start(next_++);
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
    std::unique_ptr<LintingProcess> process;
  };

  void start(std::size_t index) {
    const FileTask& task = tasks_[index];
    if (task.file.error || (task.file.name == "-" && !take_standard_input(index))) {
      if (!results_[index]) results_[index] = lint_file(task, options_);
      return;
    }
    FileTask named = task;
    if (input_ && task.file.name == "-") named.file.path = input_->path();
    running_.push_back({index, std::make_unique<LintingProcess>(named, options_, limit_)});
  }

  /// Standard input is there once; it is kept here, where nothing ends early.
  bool take_standard_input(std::size_t index) {
    try {
      input_.emplace(STDIN_FILENO);
      return true;
    } catch (const Error& error) {
      results_[index] = failed_result(tasks_[index], error, false);
      return false;
    }
  }

  /// Until a process has something to say, the time of one is over, or a stop may be asked for.
  void wait() const {
    std::vector<pollfd> ends;
    milliseconds longest = patience;
    for (const Running& running : running_) {
      ends.push_back({running.process->descriptor(), POLLIN, 0});
      longest = std::min(longest, running.process->time_left());
    }
    if (!ends.empty()) ::poll(ends.data(), ends.size(), static_cast<int>(longest.count()));
  }

  void take_finished() {
    std::erase_if(running_, [this](const Running& running) {
      std::optional<FileResult>& result = results_[running.task];
      result = running.process->result();
      if (result && result->report.format == "torchscript") load_front_end();
      return result.has_value();
    });
  }

  /// Processes that are started after the first TorchScript file find LibTorch loaded.
  void load_front_end() {
    if (loaded_ || next_ == tasks_.size()) return;
    loaded_ = true;
    try {
      torchscript_front_end({});
    } catch (const Error&) { // a process that needs it says so
    }
  }

  void hand_over() {
    for (; first_ < results_.size() && results_[first_]; ++first_) {
      FileResult result = std::move(*results_[first_]);
      results_[first_].reset();
      done_(std::move(result));
      ++handed_over_;
    }
  }

  const std::vector<FileTask>& tasks_;
  const ReadOptions& options_;
  unsigned jobs_;
  milliseconds limit_;
  const std::function<void(FileResult)>& done_;
  std::vector<std::optional<FileResult>> results_;
  std::vector<Running> running_;
  std::optional<StandardInput> input_;
  std::size_t next_ = 0;  ///< the first task not begun
  std::size_t first_ = 0; ///< the first result not handed over
  std::size_t handed_over_ = 0;
  bool loaded_ = false;
};

} // namespace

std::size_t lint_files_isolated(const std::vector<FileTask>& tasks, const ReadOptions& options,
                                unsigned jobs, milliseconds limit, const std::stop_token& stop,
                                const std::function<void(FileResult)>& done) {
  return IsolatedRun(tasks, options, jobs, limit, done).run(stop);
}

} // namespace model_validator
