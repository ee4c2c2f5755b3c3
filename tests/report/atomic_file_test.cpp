#include "report/atomic_file.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

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
  file.stream() << "new";
  CHECK(content_of(name) == "old");
  file.commit();
  CHECK(content_of(name) == "new");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("what is not finished leaves nothing behind") {
  const TemporaryFolder folder;
  { AtomicFile(folder.path() / "report.json").stream() << "half"; }
  CHECK(files_in(folder) == 0);
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
