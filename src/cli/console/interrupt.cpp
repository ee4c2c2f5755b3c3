#include "cli/console/interrupt.h"

#include <array>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace model_validator::cli {
namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// A blocked signal arrives even where it is ignored.
sigset_t signals_that_end() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (!is_ignored(signal)) sigaddset(&signals, signal);
  return signals;
}

int as_file(const sigset_t& signals) {
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

} // namespace

InterruptWatch::InterruptWatch(Afterwards afterwards)
    : afterwards_(afterwards), watched_(signals_that_end()), signals_(as_file(watched_)),
      end_(::eventfd(0, EFD_CLOEXEC)), watcher_([this] { watch(); }) {
  begun_.wait();
}

InterruptWatch::~InterruptWatch() {
  ::eventfd_write(end_, 1);
  watcher_.join();
  ::close(end_);
  ::close(signals_);
  pthread_sigmask(SIG_UNBLOCK, &watched_, nullptr);
}

void InterruptWatch::watch() {
  begun_.count_down();
  std::array<pollfd, 2> either{{{end_, POLLIN, 0}, {signals_, POLLIN, 0}}};
  while (::poll(either.data(), either.size(), -1) < 0) {
  }
  if (either[1].revents == 0) return;
  signalfd_siginfo info{};
  if (::read(signals_, &info, sizeof info) < 0) return;
  signal_ = static_cast<int>(info.ssi_signo);
  source_.request_stop();
  // While this thread lives, the signals act as usual.
  pthread_sigmask(SIG_UNBLOCK, &watched_, nullptr);
  if (afterwards_ == Afterwards::ends) ::kill(::getpid(), signal_);
  while (::poll(either.data(), 1, -1) < 0) {
  }
}

} // namespace model_validator::cli
