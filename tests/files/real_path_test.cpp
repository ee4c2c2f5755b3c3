#include "files/real_path.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace model_validator;
namespace fs = std::filesystem;

TEST_CASE("a path lies beneath a folder by where its links lead") {
  const test::TemporaryFolder outer;
  const fs::path folder = outer.path() / "in";
  outer.write("in/file");
  outer.write("out/file");
  fs::create_symlink("file", folder / "stays");
  fs::create_symlink("../out/file", folder / "leaves");
  fs::create_symlink("../out", folder / "folder");
  fs::create_symlink("../absent", folder / "to nothing");
  fs::create_symlink("absent", folder / "to nothing inside");
  fs::create_symlink("round", folder / "round");
  for (const char* name : {"file", "stays", "absent", "a/b", "a/../b", ".", "to nothing inside"})
    CHECK(lies_beneath(folder / name, folder));
  for (const char* name :
       {"..", "../in2", "leaves", "folder/file", "folder/absent", "to nothing", "a/../../out"})
    CHECK_FALSE(lies_beneath(folder / name, folder));
  CHECK_FALSE(lies_beneath("/etc/passwd", folder));
  CHECK(real_path(folder / "to nothing") == fs::canonical(outer.path()) / "absent");
}

TEST_CASE("a link to a folder is that folder") {
  const test::TemporaryFolder outer;
  outer.write("real/file");
  fs::create_symlink("real", outer.path() / "link");
  CHECK(lies_beneath(outer.path() / "link" / "file", outer.path() / "real"));
  CHECK(lies_beneath(outer.path() / "real" / "file", outer.path() / "link"));
}

TEST_CASE("links that lead in a circle lead to an end") {
  const test::TemporaryFolder folder;
  fs::create_symlink("b", folder.path() / "a");
  fs::create_symlink("a", folder.path() / "b");
  CHECK(links_from(folder.path() / "a").size() < 50);
}

TEST_CASE("a folder whose name begins like another's is another") {
  CHECK(is_within("/a/b/c", "/a/b"));
  CHECK_FALSE(is_within("/a/bc", "/a/b"));
}
