#pragma once

#include <latch>
#include <stop_token>
#include <thread>

namespace model_validator::cli {

/// Turns the first Ctrl-C into a request to stop; the second ends the program as usual. To be made
/// before other threads are, so that they leave the signal alone. Once made, its thread only waits:
/// a process forked then does not find a lock held that nobody is left to release.
class InterruptWatch {
public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  bool interrupted() const { return source_.stop_requested(); }

private:
  void watch();
  std::stop_source source_;
  int signals_; ///< readable when the signal came
  int end_;     ///< readable when this object goes
  std::latch begun_{1};
  std::thread watcher_;
};

} // namespace model_validator::cli
