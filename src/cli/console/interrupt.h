#pragma once

#include <model_validator/error.h>

#include <atomic>
#include <csignal>
#include <latch>
#include <stop_token>
#include <thread>

namespace model_validator::cli {

/// Turns the first Ctrl-C, SIGTERM or SIGHUP into a request to stop; the second ends the program as
/// usual. Signals that the program was started to ignore stay ignored. Must be made before other
/// threads, so that they leave the signals alone. Once made, its thread only waits, so a process
/// forked later finds no lock held that nobody is left to release.
class InterruptWatch {
public:
  enum class Afterwards {
    continues, ///< the holders of the token end on their own
    ends       ///< when all callbacks of the token are done, the signal ends the program
  };
  explicit InterruptWatch(Afterwards afterwards = Afterwards::continues);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return source_.get_token(); }
  bool interrupted() const { return source_.stop_requested(); }
  /// As shells report that a signal ended a program: 130 after Ctrl-C.
  int status() const { return 128 + signal_; }

private:
  void watch();

  Afterwards afterwards_;
  sigset_t watched_;
  std::stop_source source_;
  std::atomic<int> signal_{0};
  int signals_; ///< readable when a signal came
  int end_;     ///< readable when this object ends
  std::latch begun_{1};
  std::thread watcher_;
};

/// Runs what ends with an error where the token that it is given asks it to. @returns the exit
/// status
template <class Run> int run_until_interrupted(const Run& run) {
  const InterruptWatch interrupt;
  try {
    return run(interrupt.token());
  } catch (const Error&) {
    if (interrupt.interrupted()) return interrupt.status();
    throw;
  }
}

} // namespace model_validator::cli
