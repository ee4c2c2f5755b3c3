#include "files/process/worker_process.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace model_validator::process;
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
