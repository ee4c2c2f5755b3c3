#include "cli/interrupt.h"

#include <array>
#include <csignal>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace model_validator::cli {
namespace {

sigset_t interrupt_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  return signals;
}

int signals_as_file() {
  const sigset_t signals = interrupt_signal();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

} // namespace

InterruptWatch::InterruptWatch()
    : signals_(signals_as_file()), end_(::eventfd(0, EFD_CLOEXEC)), watcher_([this] { watch(); }) {
  begun_.wait();
}

InterruptWatch::~InterruptWatch() {
  ::eventfd_write(end_, 1);
  watcher_.join();
  ::close(end_);
  ::close(signals_);
  const sigset_t signals = interrupt_signal();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void InterruptWatch::watch() {
  begun_.count_down();
  std::array<pollfd, 2> either{{{end_, POLLIN, 0}, {signals_, POLLIN, 0}}};
  while (::poll(either.data(), either.size(), -1) < 0) {
  }
  if (either[1].revents == 0) return;
  signalfd_siginfo info{};
  if (::read(signals_, &info, sizeof info) < 0) return;
  source_.request_stop();
  // While this thread lives, the signal does what it always does.
  const sigset_t signals = interrupt_signal();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  while (::poll(either.data(), 1, -1) < 0) {
  }
}

} // namespace model_validator::cli
