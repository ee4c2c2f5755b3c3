#include "files/regular_file.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <sys/stat.h>

using namespace model_validator;
using test::TemporaryFolder;

TEST_CASE("a small regular file is read as a whole") {
  const TemporaryFolder folder;
  CHECK(read_regular_file(folder.write("a", "text"), 4).bytes == "text");
  CHECK(read_regular_file(folder.write("empty"), 4).why_not.empty());
}

TEST_CASE("a file that is larger, missing or not regular is not read, and not waited for") {
  const TemporaryFolder folder;
  CHECK(read_regular_file(folder.write("a", "text!"), 4).why_not == "larger than 0 MiB");
  CHECK(read_regular_file(folder.path() / "b", 4).why_not == "No such file or directory");
  CHECK(read_regular_file(folder.path(), 4).why_not == "not a regular file");
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(read_regular_file(pipe, 4).why_not == "not a regular file");
}

TEST_CASE("brackets are counted outside texts") {
  CHECK(is_nested_deeper("[[{}]]", 2));
  CHECK_FALSE(is_nested_deeper("[[{}]]", 3));
  CHECK_FALSE(is_nested_deeper(R"({"[[[[": "\"[[["})", 1));
}
