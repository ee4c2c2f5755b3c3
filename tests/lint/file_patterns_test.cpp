#include "checks.h"
#include "lint/file_patterns.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace model_validator;
using Catch::Contains;
using test::TemporaryFolder;

namespace {

/// What the log says of a configuration beside some models, in a run over one of them.
std::string told(const std::string& settings, const std::string& run = "a.pt") {
  const TemporaryFolder folder;
  for (const char* name : {"a.pt", "b.onnx", "legacy/c.pt", "old/d.pt"}) folder.write(name);
  const auto file = folder.write("model_validator.toml", settings);
  const ConfigFile loaded = load_config_file(file, ConfigOrigin::found);
  std::string text;
  for (const LogEntry& entry :
       log_of_patterns(patterns_of(loaded, ConfigOrigin::found), {folder.path() / run})) {
    CHECK(entry.level == LogLevel::warning);
    text += entry.text + '\n';
  }
  return text;
}

std::string per_file(const std::string& pattern) {
  return "\n[[per-file]]\nfiles = [\"" + pattern + "\"]\nignore = [\"GRA001\"]\n";
}

} // namespace

TEST_CASE("a pattern that fits no file is told, with its line and what is near") {
  const std::string text = told(per_file("*.onx"));
  CHECK_THAT(text, Contains("model_validator.toml:3: no file fits `*.onx` of `files`"));
  CHECK_THAT(text, Contains("did you mean `*.onnx`?"));
  CHECK_THAT(told(per_file("legcy/*.pt")), Contains("did you mean `legacy/*.pt`?"));
  CHECK_THAT(told(per_file("legacy/cc.pt")), Contains("did you mean `legacy/c.pt`?"));
  CHECK_THAT(told(per_file("legacy")), Contains("did you mean `legacy/*`?"));
  CHECK_THAT(told(per_file("**/b.onnx")), Contains("did you mean `b.onnx`?"));
  CHECK_THAT(told("exclude = [\"odl\"]\n"),
             Contains("model_validator.toml:1: no file fits `odl` of"));
  CHECK_THAT(told("[[suppress]]\nrule = \"GRA001\"\nmodel = \"aa.pt\"\nreason = \"known\"\n"),
             Contains("no file fits `aa.pt` of `model`; did you mean `a.pt`?"));
}

TEST_CASE("a pattern that fits a file of the run or of the folder is not told") {
  for (const char* pattern : {"a.pt", "legacy/*", "*/c.pt", "b.*", "legacy/c.pt"})
    CHECK(told(per_file(pattern)).empty());
  for (const char* pattern : {"old", "old/", "legacy/*.pt"})
    CHECK(told("exclude = [\"" + std::string(pattern) + "\"]\n").empty());
}

TEST_CASE("a kind of file that there is not today is no mistake") {
  for (const char* pattern : {"*.pt2", "*.torchscript", "*", "/srv/models/*.pt"})
    CHECK(told(per_file(pattern)).empty());
  CHECK_FALSE(told(per_file("*.pt3")).empty());
}

TEST_CASE("what a file extends is made for many folders") {
  const TemporaryFolder folder;
  folder.write("a.pt");
  folder.write("base.toml", per_file("other/*"));
  const auto file = folder.write("model_validator.toml", "extend = \"base.toml\"\n");
  const ConfigFile loaded = load_config_file(file, ConfigOrigin::found);
  CHECK(loaded.per_file.size() == 1);
  CHECK(patterns_of(loaded, ConfigOrigin::found).empty());
}

TEST_CASE("patterns of the command line are looked up where the program was called") {
  Config command_line;
  command_line.origin = "command line";
  command_line.exclude = {{"no-such-file-*"}};
  const LogEntries entries = log_of_patterns(patterns_of(command_line), {});
  REQUIRE(entries.size() == 1);
  CHECK_THAT(entries[0].text, Catch::StartsWith("`--exclude`: no file fits `no-such-file-*`"));
}
