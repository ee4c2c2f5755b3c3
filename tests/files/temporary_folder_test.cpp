#include "files/scratch_folder.h"
#include "files/temporary_folder.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <string>

using namespace model_validator;

namespace {

/// TMPDIR while it lives.
class TmpDir {
public:
  explicit TmpDir(const std::string& value) {
    if (const char* set = std::getenv("TMPDIR")) before_ = set;
    ::setenv("TMPDIR", value.c_str(), 1); // NOLINT(concurrency-mt-unsafe)
  }
  ~TmpDir() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1);
  }
  TmpDir(const TmpDir&) = delete;
  TmpDir& operator=(const TmpDir&) = delete;

private:
  std::string before_;
};

} // namespace

TEST_CASE("temporary files are kept where TMPDIR leads") {
  const test::TemporaryFolder folder;
  const TmpDir set(folder.path().string());
  CHECK(temporary_folder() == folder.path());
  CHECK(ScratchFolder().path().parent_path() == folder.path());
}

TEST_CASE("a TMPDIR that leads nowhere is named") {
  const TmpDir set("/nowhere/at/all");
  try {
    const ScratchFolder folder;
    FAIL("a folder was made in " << folder.path());
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::cannot_write);
    CHECK(error.path() == "/nowhere/at/all");
    CHECK(error.hint().find("TMPDIR") != std::string::npos);
  }
}
