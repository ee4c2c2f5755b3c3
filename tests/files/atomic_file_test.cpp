#include "files/atomic_file.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace model_validator;
using test::content_of;
using test::TemporaryFolder;

namespace {

std::size_t files_in(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

} // namespace

TEST_CASE("the file appears when it is complete") {
  const TemporaryFolder folder;
  const auto name = folder.write("report.json", "old");
  AtomicFile file(name);
  file.stream() << "new" << std::flush;
  CHECK(content_of(name) == "old");
  CHECK(files_in(folder) == 1); // so that nothing is left of it, however the program ends
  file.commit();
  CHECK(content_of(name) == "new");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("what is not finished leaves nothing behind") {
  const TemporaryFolder folder;
  { AtomicFile(folder.path() / "report.json").stream() << "half"; }
  CHECK(files_in(folder) == 0);
}

TEST_CASE("a new file takes nobody's place") {
  const TemporaryFolder folder;
  const auto name = folder.path() / "settings.toml";
  AtomicFile first(name);
  AtomicFile second(name);
  first.stream() << "first";
  second.stream() << "second";
  CHECK(first.commit_new());
  CHECK_FALSE(second.commit_new());
  CHECK(content_of(name) == "first");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("the target of a link is replaced, not the link") {
  const TemporaryFolder folder;
  const auto target = folder.write("real.json");
  const auto link = folder.path() / "link.json";
  std::filesystem::create_symlink(target, link);
  AtomicFile file(link);
  file.stream() << "x";
  file.commit();
  CHECK(std::filesystem::is_symlink(link));
  CHECK(content_of(target) == "x");
}

TEST_CASE("a folder that is not there is an error") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(AtomicFile(folder.path() / "nowhere" / "report.json"), Error);
}

TEST_CASE("the target of a link that leads nowhere yet is made") {
  const TemporaryFolder folder;
  const auto link = folder.path() / "link.json";
  std::filesystem::create_symlink("real.json", link);
  AtomicFile file(link);
  file.stream() << "x";
  file.commit();
  CHECK(std::filesystem::is_symlink(link));
  CHECK(content_of(folder.path() / "real.json") == "x");
}

TEST_CASE("a file keeps its access rights, and a new one has those that the umask leaves") {
  const TemporaryFolder folder;
  const auto rights = [](const std::filesystem::path& file) {
    struct stat status {};
    ::stat(file.c_str(), &status);
    return status.st_mode & 0777U;
  };
  const auto write = [&](const std::filesystem::path& file) {
    AtomicFile written(file);
    written.stream() << "x";
    written.commit();
    return rights(file);
  };
  const auto old = folder.write("old.json", "old");
  ::chmod(old.c_str(), 0640);
  CHECK(write(old) == 0640);
  const mode_t before = ::umask(0077);
  CHECK(write(folder.path() / "new.json") == 0600);
  ::umask(before);
}

TEST_CASE("what does not reach the disk is an error that says why") {
  AtomicFile file("/dev/full");
  file.stream() << "x";
  CHECK_THROWS_WITH(file.commit(), Catch::Contains("No space left"));
}

TEST_CASE("what breaks off at the last bytes leaves the old file") {
  const TemporaryFolder folder;
  const auto name = folder.write("report.json", "old");
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit {};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  const struct rlimit small { 4096, limit.rlim_max };
  AtomicFile file(name);
  file.stream() << std::string(8192, 'x'); // less than is written at a time
  ::setrlimit(RLIMIT_FSIZE, &small);
  CHECK_THROWS_AS(file.commit(), Error);
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, ignored);
  CHECK(content_of(name) == "old");
}

TEST_CASE("what another user has put into a shared folder is not written to") {
  if (::geteuid() != 0) return; // only root can put it there
  const TemporaryFolder shared, own;
  ::chmod(shared.path().c_str(), 01777);
  REQUIRE(::chown(shared.path().c_str(), 4712, 4712) == 0);
  const auto target = own.write("profile", "as it was");
  const auto link = shared.path() / "report.json";
  std::filesystem::create_symlink(target, link);
  const auto beyond = own.path() / "beyond.json"; // a link of ours that leads to theirs
  std::filesystem::create_symlink(link, beyond);
  REQUIRE(::lchown(link.c_str(), 4711, 4711) == 0);
  const auto file = shared.write("theirs.json", "theirs");
  REQUIRE(::chown(file.c_str(), 4711, 4711) == 0);
  for (const auto& name : {link, beyond, file})
    CHECK_THROWS_WITH(AtomicFile(name), Catch::Contains("another user"));
  CHECK(content_of(target) == "as it was");
  REQUIRE(::lchown(link.c_str(), 4712, 4712) == 0); // the owner of the folder may
  CHECK_NOTHROW(AtomicFile(link));
  ::chmod(shared.path().c_str(), 0777); // as the kernel has it, too
  CHECK_NOTHROW(AtomicFile(file));
}

TEST_CASE("a pipe that nobody reads is an error, and not waited for") {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_AS(AtomicFile(pipe), Error);
}
