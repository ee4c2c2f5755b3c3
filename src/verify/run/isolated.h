#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace model_validator::verify {

/// How work in a process of its own ended.
struct IsolatedOutcome {
  enum class Ending { done, failed, crashed, timed_out };
  Ending ending = Ending::done;
  std::string kind;    ///< of the Error that ended it; empty otherwise
  std::string message; ///< one sentence where it did not end well
  std::string hint;
};

/// Runs `work` in a forked process, so that whatever it does to itself is told and not shared. It
/// hands results over through files. The process, and all it started, are ended at the time limit.
///
/// The calling process must not have computed with LibTorch before: OpenMP does not survive a fork.
IsolatedOutcome run_isolated(const std::function<void()>& work,
                             std::optional<std::chrono::milliseconds> limit = {});

} // namespace model_validator::verify
