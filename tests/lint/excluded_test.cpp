#include "checks.h"
#include "lint/excluded.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

namespace {

/// What is left of the folder's files, with the patterns in a configuration file there.
Names left(const TemporaryFolder& folder, const std::string& patterns) {
  folder.write("model_validator.toml", "exclude = [" + patterns + "]\n");
  const Registry registry;
  SettingsSource settings(registry, {}, {}, false);
  auto files = expand_inputs({folder.path().string()});
  leave_out_excluded(files, settings);
  Names names;
  for (const NamedFile& file : files)
    names.push_back(file.path.lexically_relative(folder.path()).string());
  return names;
}

} // namespace

TEST_CASE("patterns leave out files by name, by path and by folder") {
  const TemporaryFolder folder;
  for (const char* name : {"a.pt", "b.ckpt.pt", "old/c.pt", "old/deep/d.pt", "new/e.pt"})
    folder.write(name);
  CHECK(left(folder, "\"*.ckpt.pt\"") == Names{"a.pt", "new/e.pt", "old/c.pt", "old/deep/d.pt"});
  CHECK(left(folder, "\"old/*.pt\", \"a.pt\"") == Names{"b.ckpt.pt", "new/e.pt"});
  CHECK(left(folder, "\"old\"") == Names{"a.pt", "b.ckpt.pt", "new/e.pt"});
  CHECK(left(folder, "\"old/deep/\"") == Names{"a.pt", "b.ckpt.pt", "new/e.pt", "old/c.pt"});
}

TEST_CASE("a file that is named is not left out") {
  const TemporaryFolder folder;
  folder.write("a.pt");
  const Registry registry;
  Config command_line;
  command_line.origin = "command line";
  command_line.exclude = {{"*.pt"}};
  SettingsSource settings(registry, command_line, {}, true);
  auto files = expand_inputs({(folder.path() / "a.pt").string()});
  leave_out_excluded(files, settings);
  CHECK(files.size() == 1);
}

TEST_CASE("leaving out everything is an error, not silence") {
  const TemporaryFolder folder;
  folder.write("a.pt");
  CHECK_THROWS_WITH(left(folder, "\"*\""), Catch::Contains("all that were found"));
}
