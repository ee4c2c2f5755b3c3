#include "files/new_folder.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <fstream>
#include <sys/stat.h>

using namespace model_validator;
using test::content_of;
using test::TemporaryFolder;

namespace {

std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

} // namespace

TEST_CASE("a folder takes the place of the one before, with its access rights") {
  const TemporaryFolder folder;
  const auto place = folder.path() / "subgraphs";
  folder.write("subgraphs/old.txt", "old");
  ::chmod(place.c_str(), 0750);
  {
    NewFolder made(place);
    std::ofstream(made.path() / "new.txt") << "new";
    CHECK(content_of(place / "old.txt") == "old");
    made.put_in_place({"old.txt"});
  }
  CHECK(content_of(place / "new.txt") == "new");
  CHECK_FALSE(std::filesystem::exists(place / "old.txt"));
  CHECK(std::filesystem::status(place).permissions() == std::filesystem::perms(0750));
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a folder may be named with a slash behind it") {
  const TemporaryFolder folder;
  NewFolder made(folder.path() / "bug/");
  made.put_in_place();
  CHECK(std::filesystem::is_directory(folder.path() / "bug"));
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a new folder has the access rights that the umask leaves") {
  const TemporaryFolder folder;
  const mode_t before = ::umask(0077);
  NewFolder made(folder.path() / "subgraphs");
  made.put_in_place();
  ::umask(before);
  CHECK(std::filesystem::status(folder.path() / "subgraphs").permissions() ==
        std::filesystem::perms(0700));
}

TEST_CASE("what is not named stays, and no link is followed") {
  const TemporaryFolder folder;
  const auto place = folder.path() / "subgraphs";
  folder.write("subgraphs/old.txt", "old");
  folder.write("subgraphs/theirs.txt", "theirs");
  folder.write("kept/old.txt", "kept");
  {
    NewFolder made(place);
    std::ofstream(made.path() / "new.txt") << "new";
    CHECK_THROWS_WITH(made.put_in_place({"old.txt"}), Catch::Contains("cannot be removed"));
  }
  CHECK(content_of(place / "new.txt") == "new");
  CHECK(files_in(folder.path()) == 3); // the one before is there still, with what is not ours
  std::filesystem::create_symlink("kept", folder.path() / "link");
  {
    NewFolder made(folder.path() / "link");
    CHECK_THROWS_AS(made.put_in_place({"old.txt"}), Error);
  }
  CHECK(content_of(folder.path() / "kept" / "old.txt") == "kept");
}

TEST_CASE("what appears in the place meanwhile stays, and an empty folder gives way") {
  const TemporaryFolder folder;
  const auto place = folder.path() / "subgraphs";
  for (const bool link : {false, true}) {
    NewFolder made(place);
    if (link)
      std::filesystem::create_symlink("elsewhere", place);
    else
      folder.write("subgraphs/theirs.txt", "theirs");
    CHECK_THROWS_AS(made.put_in_place(), Error);
    CHECK(std::filesystem::is_symlink(place) == link);
    CHECK((link || content_of(place / "theirs.txt") == "theirs"));
    std::filesystem::remove_all(place);
  }
  std::filesystem::create_directory(place);
  NewFolder(place).put_in_place();
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a folder that is not finished, or no longer wanted, is removed") {
  const TemporaryFolder folder;
  { std::ofstream(NewFolder(folder.path() / "subgraphs").path() / "half.txt") << "half"; }
  CHECK(files_in(folder.path()) == 0);
  std::stop_source stop;
  const NewFolder made(folder.path() / "subgraphs", stop.get_token());
  CHECK(files_in(folder.path()) == 1);
  stop.request_stop();
  CHECK(files_in(folder.path()) == 0);
}
