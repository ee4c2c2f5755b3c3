#include "files/process/system_call_filter.h"

#include <cerrno>
#include <fcntl.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <memory>
#include <sched.h>
#include <seccomp.h>
#include <span>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <type_traits>
#include <unistd.h>

namespace model_validator::process {
namespace {

/// Memory, threads, time, files that are open already, and queries about files.
constexpr int computing[] = {SCMP_SYS(read),
                             SCMP_SYS(readv),
                             SCMP_SYS(pread64),
                             SCMP_SYS(preadv),
                             SCMP_SYS(write),
                             SCMP_SYS(writev),
                             SCMP_SYS(lseek),
                             SCMP_SYS(close),
                             SCMP_SYS(close_range),
                             SCMP_SYS(fstat),
                             SCMP_SYS(newfstatat),
                             SCMP_SYS(stat),
                             SCMP_SYS(lstat),
                             SCMP_SYS(statx),
                             SCMP_SYS(statfs),
                             SCMP_SYS(fstatfs),
                             SCMP_SYS(access),
                             SCMP_SYS(faccessat),
                             SCMP_SYS(faccessat2),
                             SCMP_SYS(readlink),
                             SCMP_SYS(readlinkat),
                             SCMP_SYS(getcwd),
                             SCMP_SYS(getdents64),
                             SCMP_SYS(fadvise64),
                             SCMP_SYS(mmap),
                             SCMP_SYS(munmap),
                             SCMP_SYS(mremap),
                             SCMP_SYS(mprotect),
                             SCMP_SYS(madvise),
                             SCMP_SYS(mincore),
                             SCMP_SYS(brk),
                             SCMP_SYS(membarrier),
                             SCMP_SYS(get_mempolicy),
                             SCMP_SYS(futex),
                             SCMP_SYS(futex_waitv),
                             SCMP_SYS(set_robust_list),
                             SCMP_SYS(rseq),
                             SCMP_SYS(set_tid_address),
                             SCMP_SYS(arch_prctl),
                             SCMP_SYS(rt_sigaction),
                             SCMP_SYS(rt_sigprocmask),
                             SCMP_SYS(rt_sigreturn),
                             SCMP_SYS(sigaltstack),
                             SCMP_SYS(restart_syscall),
                             SCMP_SYS(getpid),
                             SCMP_SYS(gettid),
                             SCMP_SYS(getppid),
                             SCMP_SYS(getuid),
                             SCMP_SYS(geteuid),
                             SCMP_SYS(getgid),
                             SCMP_SYS(getegid),
                             SCMP_SYS(clock_gettime),
                             SCMP_SYS(clock_getres),
                             SCMP_SYS(clock_nanosleep),
                             SCMP_SYS(nanosleep),
                             SCMP_SYS(gettimeofday),
                             SCMP_SYS(time),
                             SCMP_SYS(times),
                             SCMP_SYS(getrusage),
                             SCMP_SYS(getrlimit),
                             SCMP_SYS(sched_yield),
                             SCMP_SYS(sched_getaffinity),
                             SCMP_SYS(sched_getparam),
                             SCMP_SYS(sched_getscheduler),
                             SCMP_SYS(sched_get_priority_max),
                             SCMP_SYS(sched_get_priority_min),
                             SCMP_SYS(getcpu),
                             SCMP_SYS(sysinfo),
                             SCMP_SYS(uname),
                             SCMP_SYS(getrandom),
                             SCMP_SYS(dup),
                             SCMP_SYS(dup2),
                             SCMP_SYS(dup3),
                             SCMP_SYS(poll),
                             SCMP_SYS(ppoll),
                             SCMP_SYS(exit),
                             SCMP_SYS(exit_group)};

/// What compilers and runtimes of models also do. Landlock decides where files may be written, but
/// does not know modes and owners: those are not changed at all. Before its third version it does
/// not know either that a file is cut: that needs a descriptor that was opened for writing.
constexpr int running[] = {
    SCMP_SYS(pwrite64),      SCMP_SYS(pwritev),   SCMP_SYS(ftruncate),    SCMP_SYS(fallocate),
    SCMP_SYS(fsync),         SCMP_SYS(fdatasync), SCMP_SYS(flock),        SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),      SCMP_SYS(mkdir),     SCMP_SYS(mkdirat),      SCMP_SYS(rmdir),
    SCMP_SYS(rename),        SCMP_SYS(renameat),  SCMP_SYS(renameat2),    SCMP_SYS(link),
    SCMP_SYS(linkat),        SCMP_SYS(symlink),   SCMP_SYS(symlinkat),    SCMP_SYS(creat),
    SCMP_SYS(umask),         SCMP_SYS(pipe),      SCMP_SYS(pipe2),        SCMP_SYS(eventfd2),
    SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait),   SCMP_SYS(epoll_pwait),
    SCMP_SYS(select),        SCMP_SYS(pselect6),  SCMP_SYS(memfd_create), SCMP_SYS(mbind),
    SCMP_SYS(set_mempolicy), SCMP_SYS(mlock),     SCMP_SYS(munlock),      SCMP_SYS(msync)};

constexpr int listening[] = {SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(setsockopt),
                             SCMP_SYS(getsockname), SCMP_SYS(accept4)};

/// Calls that reading a model never needs.
constexpr int writing[] = {
    SCMP_SYS(creat),     SCMP_SYS(unlink),    SCMP_SYS(unlinkat), SCMP_SYS(rename),
    SCMP_SYS(renameat),  SCMP_SYS(renameat2), SCMP_SYS(mkdir),    SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir),     SCMP_SYS(link),      SCMP_SYS(linkat),   SCMP_SYS(symlink),
    SCMP_SYS(symlinkat), SCMP_SYS(truncate),  SCMP_SYS(socket),   SCMP_SYS(socketpair),
    SCMP_SYS(connect),   SCMP_SYS(bind),      SCMP_SYS(sendto),   SCMP_SYS(sendmsg)};

/// Calls that running a model never needs either.
constexpr int never[] = {SCMP_SYS(execveat),
                         SCMP_SYS(fork),
                         SCMP_SYS(vfork),
                         SCMP_SYS(tkill),
                         SCMP_SYS(rt_sigqueueinfo),
                         SCMP_SYS(rt_tgsigqueueinfo),
                         SCMP_SYS(pidfd_send_signal),
                         SCMP_SYS(ptrace),
                         SCMP_SYS(process_vm_readv),
                         SCMP_SYS(process_vm_writev),
                         SCMP_SYS(mount),
                         SCMP_SYS(umount2)};

constexpr int starting[] = {SCMP_SYS(execve), SCMP_SYS(wait4)};
/// What pyenv puts on the path as `python3` is a script of bash.
constexpr int of_bash[] = {SCMP_SYS(getpgrp), SCMP_SYS(chdir)};

/// Flags with which `open` changes or creates a file.
constexpr std::uint64_t changing =
    O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);

class Filter {
public:
  // A call that no rule names fails with EPERM: a library that tries it does without.
  Filter() : context_(::seccomp_init(SCMP_ACT_ERRNO(EPERM)), ::seccomp_release) {
    ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2);
    ::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_NNP, 0);
  }

  void allow(std::span<const int> calls) const { act(SCMP_ACT_ALLOW, calls); }
  void trap(std::span<const int> calls) const { act(SCMP_ACT_TRAP, calls); }
  void rule(std::uint32_t action, int call, scmp_arg_cmp condition) const {
    ::seccomp_rule_add(context_.get(), action, call, 1, condition);
  }
  void fail(int call, int error) const {
    ::seccomp_rule_add(context_.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call, 0);
  }
  bool load() const { return ::seccomp_load(context_.get()) == 0; }

private:
  void act(std::uint32_t action, std::span<const int> calls) const {
    for (const int call : calls) ::seccomp_rule_add(context_.get(), action, call, 0);
  }

  std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, decltype(&::seccomp_release)> context_;
};

/// One of the many things that `prctl` does.
void allow_option(const Filter& filter, int option) {
  filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(prctl),
              SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(option)));
}

/// A copy of the process, confined as it is, in the namespaces that it is in.
void allow_copies(const Filter& filter) {
  constexpr std::uint64_t apart = CLONE_THREAD | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                  CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |
                                  CLONE_PTRACE;
  filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, apart, 0));
  filter.allow(starting);
  filter.allow(of_bash);
}

/// @param may_copy  a process that is no thread is refused, or allowed elsewhere, not ended
void allow_threads(const Filter& filter, bool may_copy) {
  filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(clone),
              SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
  // A GPU's driver starts a program that makes files of /dev, and does without where it cannot.
  if (!may_copy)
    filter.rule(SCMP_ACT_TRAP, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  // Its flags lie in memory, where no filter sees them: libc falls back to `clone`.
  filter.fail(SCMP_SYS(clone3), ENOSYS);
  for (const int option : {PR_SET_NAME, PR_GET_NAME}) allow_option(filter, option);
}

/// Runtimes on arm64 ask how wide its vectors are. OpenVINO takes a refusal for a width.
void allow_vector_widths(const Filter& filter) {
  for (const int option : {PR_SVE_GET_VL, PR_SME_GET_VL}) allow_option(filter, option);
}

/// A process that aborts sends itself a signal.
void allow_own_signals(const Filter& filter) {
  const auto self = static_cast<scmp_datum_t>(::getpid());
  for (const int call : {SCMP_SYS(kill), SCMP_SYS(tgkill)}) {
    filter.rule(SCMP_ACT_ALLOW, call, SCMP_A0(SCMP_CMP_EQ, self));
    filter.rule(SCMP_ACT_TRAP, call, SCMP_A0(SCMP_CMP_NE, self));
  }
}

void allow_descriptors(const Filter& filter) {
  for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC})
    filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(fcntl),
                SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command)));
  // Limits may be queried, not raised.
  filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_EQ, 0));
}

void allow_reading(const Filter& filter) {
  filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, changing, 0));
  filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, changing, 0));
  for (std::uint64_t flag = 1; flag <= changing; flag <<= 1) {
    if ((changing & flag) == 0) continue;
    filter.rule(SCMP_ACT_TRAP, SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, flag, flag));
    filter.rule(SCMP_ACT_TRAP, SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, flag, flag));
  }
}

/// Landlock holds what is opened for writing. A file that is cut while it is opened for reading, or
/// for neither, is not that.
void allow_opening(const Filter& filter) {
  constexpr std::uint64_t asked = O_TRUNC | O_ACCMODE;
  filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, O_TRUNC, 0));
  filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, O_TRUNC, 0));
  for (const std::uint64_t mode : {O_WRONLY, O_RDWR}) {
    filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, asked, O_TRUNC | mode));
    filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(openat),
                SCMP_A2(SCMP_CMP_MASKED_EQ, asked, O_TRUNC | mode));
  }
}

/// Queries about terminals, pipes and descriptors. Among all others are some that make files
/// immutable, copy them or freeze their file system.
void allow_controls(const Filter& filter, bool devices) {
  for (const std::uint64_t request : {TCGETS, TIOCGWINSZ, FIONREAD, FIOCLEX, FIONCLEX})
    filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, request));
  if (!devices) return;
  constexpr std::uint64_t kind_of_device = 0xff00;
  constexpr std::uint64_t nvidia = 'F' << 8;
  constexpr std::uint64_t drm = 'd' << 8;
  constexpr std::uint64_t amd = 'K' << 8;
  for (const std::uint64_t kind : {nvidia, drm, amd})
    filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, kind_of_device, kind));
  // NVIDIA's unified memory numbers its requests from 1, and two beyond all others.
  filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffff00, 0));
  for (const std::uint64_t request : {0x30000001, 0x30000002})
    filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_EQ, request));
}

/// CUDA listens at a name of its own for processes that share its memory. Nothing is connected to.
void allow_listening(const Filter& filter) {
  filter.rule(SCMP_ACT_ALLOW, SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, AF_UNIX));
  filter.allow(listening);
}

/// Runtimes bind their threads to processors, each by its number, which may as well be that of
/// another process. Nothing is bound, and they are told that it was done.
void ignore_binding(const Filter& filter) { filter.fail(SCMP_SYS(sched_setaffinity), 0); }

} // namespace

bool system_call_filter_is_there() {
  // A filter at an invalid address is rejected as such only where the kernel has filters.
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr, 0, 0) != 0 && errno == EFAULT;
}

bool restrict_system_calls(const Permissions& permissions) {
  const Filter filter;
  filter.allow(computing);
  allow_threads(filter, permissions.devices || permissions.program);
  allow_vector_widths(filter);
  allow_own_signals(filter);
  allow_descriptors(filter);
  filter.trap(never);
  if (permissions.program)
    allow_copies(filter);
  else
    filter.trap(starting);
  if (permissions.purpose == Purpose::read) {
    allow_reading(filter);
    filter.trap(writing);
  } else {
    filter.allow(running);
    allow_opening(filter);
    allow_controls(filter, permissions.devices);
    if (permissions.devices) allow_listening(filter);
    ignore_binding(filter);
  }
  return filter.load();
}

} // namespace model_validator::process
