#include "files/python_source.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("lines of a Python file are counted from 1") {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("net.py", "one\ntwo\n").string();
  PythonSource source;
  CHECK(source.line(file, 1) == "one");
  CHECK(source.line(file, 2) == "two");
  CHECK(source.line(file, 3).empty());
  CHECK(source.line(file, 0).empty());
  CHECK(source.line(file, -1).empty());
}

TEST_CASE("a model cannot make the program read a file that is not Python") {
  const test::TemporaryFolder folder;
  PythonSource source;
  CHECK(source.line(folder.write("secrets.txt", "one\n").string(), 1).empty());
  CHECK(source.line((folder.path() / "missing.py").string(), 1).empty());
  CHECK(source.line("/dev/zero", 1).empty());
}
