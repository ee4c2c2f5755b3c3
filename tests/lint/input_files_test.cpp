#include "lint/input_files.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

namespace {

/// The names found, relative to the folder.
Names found(const TemporaryFolder& folder, const std::string& pattern) {
  Names names;
  for (const NamedFile& input : expand_inputs({(folder.path() / pattern).string()}))
    names.push_back(input.error ? std::string(to_string(input.error->kind()))
                                : input.path.lexically_relative(folder.path()).string());
  return names;
}

} // namespace

TEST_CASE("a folder stands for the models beneath it, sorted") {
  const TemporaryFolder folder;
  for (const char* name : {"b.pt", "a.onnx", "deep/er/c.pt2", "notes.txt", "d.ts"})
    folder.write(name);
  CHECK(found(folder, "") == Names{"a.onnx", "b.pt", "deep/er/c.pt2"});
}

TEST_CASE("a folder without models is an error of its own") {
  const TemporaryFolder folder;
  folder.write("notes.txt");
  CHECK(found(folder, "") == Names{"no-models"});
}

TEST_CASE("a folder of what is run, not linted, says so") {
  const TemporaryFolder folder;
  folder.write("notes.txt");
  folder.write("a.engine");
  folder.write("ir/b.xml");
  const auto inputs = expand_inputs({folder.path().string()});
  REQUIRE(inputs.size() == 1);
  REQUIRE(inputs[0].error);
  CHECK(inputs[0].error->kind() == ErrorKind::no_models);
  const std::string engine = (folder.path() / "a.engine").string();
  CHECK(inputs[0].error->hint() == "`" + engine +
                                       "` and 1 more file are run by `verify`, not linted: "
                                       "`model_validator check " +
                                       engine + "` says how");
}

TEST_CASE("a pattern stands for what it matches") {
  const TemporaryFolder folder;
  for (const char* name : {"a.pt", "b.pt", "c.onnx", "deep/er/d.pt"}) folder.write(name);
  CHECK(found(folder, "*.pt") == Names{"a.pt", "b.pt"});
  CHECK(found(folder, "**/*.pt") == Names{"a.pt", "b.pt", "deep/er/d.pt"});
  CHECK(found(folder, "*.xyz") == Names{"not-found"});
}

TEST_CASE("a file whose name looks like a pattern is that file") {
  const TemporaryFolder folder;
  folder.write("model[1].pt");
  CHECK(found(folder, "model[1].pt") == Names{"model[1].pt"});
}

TEST_CASE("names of folders are not patterns") {
  const TemporaryFolder folder;
  for (const char* name : {"**/a.pt", "b[1]/c.pt", "{x,y}/d.pt"}) folder.write(name);
  CHECK(found(folder, "**/*.pt") == Names{"**/a.pt", "b[1]/c.pt", "{x,y}/d.pt"});
}

TEST_CASE("a pattern continues across folders that match") {
  const TemporaryFolder folder;
  for (const char* name : {"m1/deep/a.pt", "m2/b.pt", "n/c.pt"}) folder.write(name);
  CHECK(found(folder, "m*/**/*.pt") == Names{"m1/deep/a.pt", "m2/b.pt"});
}

TEST_CASE("a folder that cannot be read is reported along with the contents of the others") {
  const TemporaryFolder folder;
  folder.write("a.pt");
  // Too long a path cannot be opened, by no user.
  std::filesystem::path deep = folder.path();
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(deep);
  for (int i = 0; i < 20; ++i) {
    std::filesystem::create_directory(std::string(250, 'd'));
    std::filesystem::current_path(std::string(250, 'd'));
  }
  std::filesystem::current_path(here);
  CHECK(found(folder, "") == Names{"a.pt", "unreadable-folder"});
  CHECK(found(folder, "**/*.pt") == Names{"unreadable-folder", "a.pt"});
}

TEST_CASE("a name that is not a file is kept, for the reader to report") {
  const auto inputs = expand_inputs({"nowhere.pt", "-"});
  REQUIRE(inputs.size() == 2);
  CHECK(inputs[0].name == "nowhere.pt");
  CHECK_FALSE(inputs[0].error);
}

TEST_CASE("a file named twice comes once") {
  CHECK(expand_inputs({"a.pt", "b.pt", "a.pt"}).size() == 2);
}

TEST_CASE("folders of tools are not entered, unless they are named") {
  const TemporaryFolder folder;
  for (const char* name : {"a.pt", ".git/b.pt", "venv/lib/c.pt", "x/node_modules/d.onnx",
                           "x/__pycache__/e.pt", "virtual/f.pt"})
    folder.write(name);
  CHECK(found(folder, "") == Names{"a.pt", "virtual/f.pt"});
  CHECK(found(folder, "**/*.pt") == Names{"a.pt", "virtual/f.pt"});
  CHECK(found(folder, "venv") == Names{"venv/lib/c.pt"});
}

TEST_CASE("what was found is told from what was named") {
  const TemporaryFolder folder;
  for (const char* name : {"a.pt", "b.pt"}) folder.write(name);
  const std::string a = (folder.path() / "a.pt").string();
  const auto inputs = expand_inputs({(folder.path() / "*.pt").string(), a});
  REQUIRE(inputs.size() == 2);
  CHECK_FALSE(inputs[0].found);
  CHECK(inputs[1].found);
}
