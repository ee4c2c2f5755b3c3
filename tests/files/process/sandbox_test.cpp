#include "files/process/worker_process.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>

using namespace model_validator::process;
using model_validator::test::content_of;
using model_validator::test::TemporaryFolder;
using Ending = WorkerResult::Ending;

namespace {

/// Does it in a process that may do nothing but compute, or what else is permitted.
WorkerResult confined(const std::function<std::string()>& work, Permissions permissions = {}) {
  return WorkerProcess(work, {SandboxMode::automatic, std::move(permissions), {}}).wait();
}

std::string reads(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY);
  return descriptor < 0 ? "errno " + std::to_string(errno) : "read";
}

long answered_version = 0;

void answer(int, siginfo_t*, void* context) {
  auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__aarch64__)
  machine.regs[0] = static_cast<unsigned long long>(answered_version);
#else
  machine.gregs[REG_RAX] = answered_version;
#endif
}

/// Whoever asks for the version of Landlock from now on is told an older one.
void answer_as_landlock(int version) {
  answered_version = version;
  struct sigaction action {};
  action.sa_sigaction = answer;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSYS, &action, nullptr);
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LANDLOCK_CREATE_RULESET_VERSION, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/// @returns 0 once it is done in a process that the sandbox holds completely
int under_landlock(int version, const Permissions& permissions, const std::function<void()>& act) {
  const pid_t child = ::fork();
  if (child == 0) {
    answer_as_landlock(version);
    const bool complete = enter_sandbox(permissions).complete();
    ::signal(SIGSYS, SIG_IGN); // NOLINT: a refused call fails
    if (complete) act();
    ::_exit(complete ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  // A reader is ended by the first of its attempts.
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS ? 0 : status;
}

/// In every way that asks for less than the right to write.
void try_to_change(const std::filesystem::path& kept, const std::filesystem::path& written) {
  const std::string link = written.string() + ".link";
  for (const int flags : {O_RDONLY | O_TRUNC, O_ACCMODE | O_TRUNC, O_WRONLY | O_TRUNC,
                          O_RDWR | O_TRUNC, O_RDWR, O_RDONLY | O_TRUNC | O_CREAT})
    if (const int opened = ::open(kept.c_str(), flags, 0600); opened >= 0) {
      [[maybe_unused]] const int cut = ::ftruncate(opened, 0);
      ::close(opened);
    }
  [[maybe_unused]] int tried = ::truncate(kept.c_str(), 0);
  ::creat(kept.c_str(), 0600);
  tried = ::link(kept.c_str(), link.c_str());
  tried = ::rename(written.c_str(), kept.c_str());
  tried = ::rename(kept.c_str(), link.c_str());
  ::unlink(kept.c_str());
}

const std::string denied = "errno " + std::to_string(EACCES);

} // namespace

// Everything below is about what the kernel holds: without it, nothing is tested.
TEST_CASE("this system can confine a process") { REQUIRE(sandbox_support().complete()); }

TEST_CASE("a reader reads what it was given, and nothing else") {
  const TemporaryFolder folder;
  const auto given = folder.write("given", "x");
  const auto other = folder.write("other", "x");
  CHECK(confined([&] { return reads(given); }, {Purpose::read, {given}, {}}).bytes == "read");
  CHECK(confined([&] { return reads(other); }, {Purpose::read, {given}, {}}).bytes == denied);
  CHECK(confined([&] { return reads(other); }, {Purpose::read, {folder.path()}, {}}).bytes ==
        "read");
  CHECK(confined([&] { return reads("/etc/passwd"); }).bytes == denied);
}

TEST_CASE("a link leads nowhere else") {
  const TemporaryFolder folder, elsewhere;
  const auto secret = elsewhere.write("secret", "x");
  const auto link = folder.path() / "link";
  std::filesystem::create_symlink(secret, link);
  CHECK(confined([&] { return reads(link); }, {Purpose::read, {folder.path()}, {}}).bytes ==
        denied);
}

TEST_CASE("a reader changes nothing, and is ended when it tries") {
  const TemporaryFolder folder;
  const auto file = folder.write("file", "as it was");
  const auto canary = folder.path() / "canary";
  const std::string path = file.string(), name = canary.string();
  struct Attempt {
    const char* call;
    std::function<void()> act;
  };
  const std::vector<Attempt> attempts{
      {"openat", [&] { ::open(name.c_str(), O_WRONLY | O_CREAT, 0600); }},
      {"openat", [&] { ::open(path.c_str(), O_RDWR); }},
      {"openat", [&] { ::open(path.c_str(), O_RDONLY | O_TRUNC); }},
      {"openat", [&] { ::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CREAT); }},
      {"openat", [&] { ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600); }},
      {"unlink", [&] { ::unlink(path.c_str()); }},
      {"rename", [&] { ::rename(path.c_str(), name.c_str()); }},
      {"mkdir", [&] { ::mkdir(name.c_str(), 0700); }},
      {"symlink", [&] { ::symlink("x", name.c_str()) == 0 ? void() : void(); }},
      {"truncate", [&] { ::truncate(path.c_str(), 0) == 0 ? void() : void(); }},
      {"socket", [] { ::socket(AF_INET, SOCK_STREAM, 0); }},
      {"execve", [&] { ::execl("/bin/touch", "touch", name.c_str(), nullptr); }},
      {"kill", [] { ::kill(::getppid(), 0); }},
  };
  for (const Attempt& attempt : attempts) {
    const auto result = confined(
        [&] {
          attempt.act();
          return std::string("went on");
        },
        {Purpose::read, {folder.path()}, {}});
    INFO(attempt.call);
    CHECK(result.ending == Ending::refused);
    CHECK(result.bytes == '`' + std::string(attempt.call) + '`');
  }
  CHECK_FALSE(std::filesystem::exists(canary));
  std::ifstream stream(file);
  CHECK(std::string(std::istreambuf_iterator<char>(stream), {}) == "as it was");
}

TEST_CASE("a process that may become a program is confined as that program") {
  const TemporaryFolder own, other;
  const auto inside = own.path() / "inside", outside = other.path() / "outside";
  const std::string script =
      "echo > '" + outside.string() + "'; echo > '" + inside.string() + "'"; // which go on
  for (const bool may : {true, false}) {
    Permissions permissions = permissions_to_run(own.path(), false);
    permissions.program = may;
    confined(
        [&] {
          ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
          return std::string();
        },
        permissions);
    CHECK(std::filesystem::exists(inside) == may);
    CHECK_FALSE(std::filesystem::exists(outside));
    std::filesystem::remove(inside);
  }
}

TEST_CASE("what is started by a process that may start programs is confined likewise") {
  const TemporaryFolder own, other;
  const auto inside = own.path() / "inside", outside = other.path() / "outside";
  const std::string script =
      "echo > '" + outside.string() + "'; echo > '" + inside.string() + "'"; // which go on
  Permissions permissions = permissions_to_run(own.path(), false);
  permissions.program = true;
  const auto started = confined(
      [&] {
        const pid_t child = ::fork();
        if (child == 0) ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
        ::waitpid(child, nullptr, 0);
        return std::string("waited");
      },
      permissions);
  CHECK(started.bytes == "waited");
  CHECK(std::filesystem::exists(inside));
  CHECK_FALSE(std::filesystem::exists(outside));
  const auto apart = confined(
      [] {
        const long made = ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
        if (made == 0) ::_exit(0);
        return std::string(made > 0 ? "made" : "refused");
      },
      permissions);
  CHECK(apart.bytes != "made"); // in a namespace of its own it would be root
}

TEST_CASE("neither a reader nor a model that runs starts a program") {
  const TemporaryFolder folder;
  const std::string canary = (folder.path() / "canary").string();
  for (const Purpose purpose : {Purpose::read, Purpose::run}) {
    const auto result =
        confined([&] { return std::to_string(std::system(("touch " + canary).c_str())); }, // NOLINT
                 {purpose, {"/"}, {folder.path()}});
    CHECK(result.ending == Ending::refused);
  }
  CHECK(confined([] { return std::to_string(::fork()); }).ending == Ending::refused);
  CHECK_FALSE(std::filesystem::exists(canary));
}

TEST_CASE("a model that runs writes beneath its folder, and nowhere else") {
  const TemporaryFolder folder, elsewhere;
  const auto inside = folder.path() / "sub" / "file";
  const auto outside = elsewhere.path() / "canary";
  const auto kept = elsewhere.write("kept", "as it was");
  const auto result = confined(
      [&] {
        std::filesystem::create_directory(inside.parent_path());
        std::ofstream(inside) << "x";
        std::ofstream(outside) << "x";
        ::unlink(kept.c_str());
        ::truncate(kept.c_str(), 0) == 0 ? void() : void();
        ::chmod(kept.c_str(), 0);
        return std::string("went on");
      },
      {Purpose::run, {"/"}, {folder.path()}});
  CHECK(result.bytes == "went on");
  CHECK(std::filesystem::exists(inside));
  CHECK_FALSE(std::filesystem::exists(outside));
  CHECK(std::filesystem::file_size(kept) == 9);
  CHECK(::access(kept.c_str(), W_OK) == 0);
}

TEST_CASE("computing is free: memory, threads, time, exceptions") {
  const auto result = confined([] {
    std::vector<char> memory(std::size_t{64} << 20, 'x');
    std::string word;
    std::thread([&] {
      try {
        throw std::runtime_error("caught");
      } catch (const std::exception& error) {
        word = error.what();
      }
    }).join();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return word + memory.back();
  });
  CHECK(result.ending == Ending::done);
  CHECK(result.bytes == "caughtx");
}

TEST_CASE("the width of vectors may be asked for, and nothing be set") {
  const auto result = confined([] {
    std::string refused;
    for (const int option : {PR_SVE_GET_VL, PR_SME_GET_VL, PR_SVE_SET_VL, PR_SET_DUMPABLE}) {
      errno = 0;
      ::prctl(option, 0, 0, 0, 0);
      refused += errno == EPERM ? "no " : "yes ";
    }
    return refused;
  });
  CHECK(result.bytes == "yes yes no no ");
}

TEST_CASE("a model that runs changes nothing of a file by a control, nor of other processes") {
  cpu_set_t before, after;
  ::sched_getaffinity(0, sizeof before, &before);
  const TemporaryFolder folder;
  const auto file = folder.write("file", "x");
  const auto result = confined(
      [&] {
        const int descriptor = ::open(file.c_str(), O_RDWR);
        long flags = 0;
        cpu_set_t processors;
        CPU_ZERO(&processors);
        CPU_SET(0, &processors);
        std::string done = descriptor < 0 ? "closed " : "";
        if (::ioctl(descriptor, FS_IOC_GETFLAGS, &flags) == 0) done += "read flags ";
        if (::ioctl(descriptor, FS_IOC_SETFLAGS, &flags) == 0 || errno != EPERM)
          done += "set flags ";
        if (::ioctl(descriptor, FIFREEZE, 0) == 0 || errno != EPERM) done += "froze ";
        if (::sched_setaffinity(::getppid(), sizeof processors, &processors) != 0) done += "told ";
        const sched_param parameters{};
        if (::sched_setscheduler(0, SCHED_OTHER, &parameters) == 0) done += "scheduled ";
        return done;
      },
      permissions_to_run(folder.path(), false));
  CHECK(result.ending == Ending::done);
  CHECK(result.bytes.empty());
  ::sched_getaffinity(0, sizeof after, &after);
  CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("a model that runs reads nothing of other processes, and no devices") {
  const TemporaryFolder folder;
  const std::string parent = "/proc/" + std::to_string(::getpid());
  const auto result = confined(
      [&] {
        std::string read;
        for (const std::string& path : {parent + "/cmdline", parent + "/environ", parent + "/maps",
                                        std::string("/proc/1/cmdline"), std::string("/dev/mem")})
          if (::open(path.c_str(), O_RDONLY) >= 0) read += path + ' ';
        for (const char* path : {"/proc/self/maps", "/proc/cpuinfo", "/proc/self/task",
                                 "/dev/urandom", "/etc/passwd", "/usr/lib"})
          if (::open(path, O_RDONLY) < 0) read += "not " + std::string(path) + ' ';
        return read;
      },
      permissions_to_run(folder.path(), false));
  CHECK(result.bytes.empty());
}

TEST_CASE("a confined process has no tokens in its environment") {
  ::setenv("CI_JOB_TOKEN", "secret", 1); // NOLINT(concurrency-mt-unsafe)
  const std::vector<const char*> others{"TORCH_TOKEN", "torch_token", "MKL_passwd",
                                        "TORCH_Pat_Auth", "ORT_CREDENTIALS"};
  for (const char* name : others) ::setenv(name, "secret", 1); // NOLINT(concurrency-mt-unsafe)
  ::setenv("OMP_NUM_THREADS", "1", 1);                         // NOLINT(concurrency-mt-unsafe)
  const char* value = ::getenv("CI_JOB_TOKEN");                // NOLINT(concurrency-mt-unsafe)
  const auto environment = [&] {
    std::string all;
    for (char** each = ::environ; *each != nullptr; ++each) all += std::string(*each) + '\n';
    return all + "value: " + std::string(value, 6);
  };
  CHECK_THAT(environment(), Catch::Contains("secret"));
  for (const Purpose purpose : {Purpose::read, Purpose::run}) {
    const std::string left = confined(environment, {purpose, {}, {}}).bytes;
    CHECK_THAT(left, !Catch::Contains("secret") && !Catch::Contains("TOKEN"));
    CHECK_THAT(left, Catch::Contains("OMP_NUM_THREADS=1"));
  }
  ::unsetenv("CI_JOB_TOKEN");                       // NOLINT(concurrency-mt-unsafe)
  for (const char* name : others) ::unsetenv(name); // NOLINT(concurrency-mt-unsafe)
  ::unsetenv("OMP_NUM_THREADS");                    // NOLINT(concurrency-mt-unsafe)
}

TEST_CASE("no version of Landlock lets a file be changed") {
  for (int version = 1; version <= 6; ++version)
    for (const Purpose purpose : {Purpose::read, Purpose::run}) {
      const TemporaryFolder folder, elsewhere;
      const auto kept = elsewhere.write("kept", "as it was");
      const auto written = folder.write("written", "x");
      INFO("Landlock " << version);
      CHECK(under_landlock(version, {purpose, {"/"}, {folder.path()}},
                           [&] { try_to_change(kept, written); }) == 0);
      CHECK(content_of(kept) == "as it was");
      CHECK(std::filesystem::hard_link_count(kept) == 1);
    }
}

TEST_CASE("without a sandbox nothing is confined") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "file";
  WorkerProcess worker(
      [&] {
        std::ofstream(file) << "x";
        return std::string();
      },
      {SandboxMode::off, {}, {}});
  CHECK(worker.wait().ending == Ending::done);
  CHECK(std::filesystem::exists(file));
}

TEST_CASE("missing protection is reported") {
  CHECK(missing_protection({true, true}).empty());
  CHECK_THAT(missing_protection({false, true}), Catch::Contains("no Landlock"));
  CHECK_THAT(missing_protection({true, false}), Catch::Contains("no seccomp"));
  CHECK_THAT(missing_protection({false, false}), Catch::Contains("neither"));
}

TEST_CASE("the modes have names") {
  for (const SandboxMode mode : {SandboxMode::automatic, SandboxMode::require, SandboxMode::off})
    CHECK(sandbox_mode_from(to_string(mode)) == mode);
  CHECK_FALSE(sandbox_mode_from("on"));
}
