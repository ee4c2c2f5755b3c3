#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace model_validator {

/// Does `count` pieces of work on `threads` threads (0: one a core) and hands the results over in
/// order, on the calling thread. When asked to stop, begins no more pieces and hands over those
/// that are finished.
/// @returns the number of results handed over
template <class Result>
std::size_t work_in_order(std::size_t count, unsigned threads, std::stop_token stop,
                          const std::function<Result(std::size_t)>& work,
                          const std::function<void(Result)>& done) {
  std::vector<std::optional<Result>> results(count);
  std::mutex mutex;
  std::condition_variable_any finished;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> abandoned = false;

  const auto run = [&] {
    while (!abandoned && !stop.stop_requested()) {
      const std::size_t piece = next++;
      if (piece >= count) return;
      Result result = work(piece);
      const std::lock_guard lock(mutex);
      results[piece] = std::move(result);
      finished.notify_all();
    }
  };
  std::vector<std::jthread> workers;
  // Whatever ends this function, the threads end before what they use.
  const struct Abandon {
    std::atomic<bool>& flag;
    std::vector<std::jthread>& workers;
    ~Abandon() {
      flag = true;
      workers.clear();
    }
  } abandon{abandoned, workers};
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 0; i < std::min<std::size_t>(threads, count); ++i) workers.emplace_back(run);

  std::size_t handed_over = 0;
  for (std::optional<Result>& slot : results) {
    std::unique_lock lock(mutex);
    finished.wait(lock, stop, [&] { return slot.has_value(); });
    if (!slot) continue;
    Result result = std::move(*slot);
    slot.reset();
    lock.unlock();
    done(std::move(result));
    ++handed_over;
  }
  return handed_over;
}

} // namespace model_validator
