#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace model_validator::verify {

/// Calls `work(thread, task)` once for each task, on as many threads. Each thread is given rising
/// tasks. `work` must not throw.
template <class Work> void for_each_task(std::int64_t tasks, unsigned threads, Work work) {
  std::atomic<std::int64_t> next{0};
  const auto serve = [&](unsigned thread) noexcept {
    for (std::int64_t task = next++; task < tasks; task = next++) work(thread, task);
  };
  std::vector<std::jthread> others;
  for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(serve, thread);
  serve(0);
}

} // namespace model_validator::verify
