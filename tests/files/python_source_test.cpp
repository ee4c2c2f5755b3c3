#include "files/python_source.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("lines of a Python file are counted from 1") {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("net.py", "one\ntwo\n").string();
  PythonSource source({folder.path()});
  CHECK(source.line(file, 1) == "one");
  CHECK(source.line(file, 2) == "two");
  CHECK(source.line(file, 3).empty());
  CHECK(source.line(file, 0).empty());
  CHECK(source.line(file, -1).empty());
}

TEST_CASE("a model cannot make the program read a file that is not Python") {
  const test::TemporaryFolder folder;
  PythonSource source({folder.path()});
  CHECK(source.line(folder.write("secrets.txt", "one\n").string(), 1).empty());
  CHECK(source.line((folder.path() / "missing.py").string(), 1).empty());
  CHECK(source.line("/dev/zero", 1).empty());
}

TEST_CASE("source lies where the user works, and is Python after all links") {
  const test::TemporaryFolder folder, elsewhere;
  const auto key = elsewhere.write("id_rsa", "secret\n");
  const auto theirs = elsewhere.write("net.py", "theirs\n");
  folder.write("token.txt", "secret\n");
  folder.write("net.py", "ours\n");
  std::filesystem::create_symlink(key, folder.path() / "notes.py");
  std::filesystem::create_symlink(theirs, folder.path() / "other.py");
  std::filesystem::create_symlink("token.txt", folder.path() / "inside.py");
  std::filesystem::create_symlink("net.py", folder.path() / "same.py");
  const auto line = [&](const std::filesystem::path& file,
                        const std::vector<std::filesystem::path>& roots) {
    return PythonSource(roots).line(file.string(), 1);
  };
  const std::vector<std::filesystem::path> roots{folder.path()};
  CHECK(line(folder.path() / "net.py", roots) == "ours");
  CHECK(line(folder.path() / "same.py", roots) == "ours");
  CHECK(line(folder.path() / "net.py", {}).empty());
  for (const char* name : {"notes.py", "other.py", "inside.py"})
    CHECK(line(folder.path() / name, roots).empty());
  CHECK(line(folder.path() / ".." / elsewhere.path().filename() / "net.py", roots).empty());
  CHECK(line(theirs, {folder.path(), elsewhere.path()}) == "theirs");
}

TEST_CASE("lines say the same whatever their comments and blanks, and not whatever their strings") {
  CHECK(is_same_code("y = relu(x)", "    y = relu(x)  # why\r"));
  CHECK(is_same_code("# why", ""));
  CHECK(is_same_code("y = 'a' # b'", "y = 'a'"));
  CHECK_FALSE(is_same_code("y = relu(x)", "y = relu(x + 1)  # relu(x)"));
  CHECK_FALSE(is_same_code("f('#1')", "f('#2')"));
  CHECK_FALSE(is_same_code("f(\"it's #1\")", "f(\"it's #2\")"));
  CHECK_FALSE(is_same_code("f('\\'#1')", "f('\\'#2')"));
}
