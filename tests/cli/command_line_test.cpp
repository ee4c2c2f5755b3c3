#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "support/captured.h"

#include <catch2/catch.hpp>

#include <iostream>

using namespace model_validator;
using namespace model_validator::cli;
using Words = std::vector<std::string>;

namespace {

/// What the program prints to standard error.
std::string complaint(const Words& words) {
  const test::Captured out(stdout);
  const test::Captured error(stderr);
  CHECK(run(words) == usage_error);
  std::cerr.flush();
  return error.text();
}

/// The words of a line, as a shell makes them.
Words words_of(const std::string& line) {
  Words words{""};
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'')
      quoted = !quoted;
    else if (c == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

/// Runs the program with what it writes kept out of the test's own output.
int run_quietly(const Words& words) {
  const test::Captured out(stdout);
  const test::Captured error(stderr);
  const int status = run(words);
  std::cout.flush();
  return status;
}

} // namespace

TEST_CASE("a model alone means check") {
  CHECK(with_subcommand({"m.pt", "-q"}) == Words{"check", "m.pt", "-q"});
  CHECK(with_subcommand({"--select", "GRA", "m.pt"}) == Words{"check", "--select", "GRA", "m.pt"});
  CHECK(with_subcommand({"-"}) == Words{"check", "-"});
}

TEST_CASE("subcommands and the program's own flags stay as they are") {
  for (const Words& words : {Words{"graph", "m.pt"}, Words{"check", "m.pt"}, Words{"--version"},
                             Words{"--help"}, Words{}})
    CHECK(with_subcommand(words) == words);
}

TEST_CASE("usage errors have their own exit status") {
  CHECK(run_quietly({}) == usage_error);
  CHECK(run_quietly({"--no-such-option"}) == usage_error);
  CHECK(run_quietly({"rule", "no-such-rule"}) == usage_error);
  CHECK(run_quietly({"check", "no-such-file.pt"}) == usage_error);
  CHECK(run_quietly({"graph", "no-such-file.pt"}) == usage_error);
}

TEST_CASE("an empty word is refused, wherever it stands, and equal words are not") {
  for (const Words& words :
       {Words{""}, Words{"check", ""}, Words{"rule", "--all", "--output-file", ""},
        Words{"rule", "--all", "--format="}, Words{"targets", ""}})
    CHECK(run_quietly(words) == usage_error);
  CHECK(run_quietly({"rule", "GRA001", "GRA001"}) == clean);
}

TEST_CASE("help, version, rules and targets are not errors") {
  for (const Words& words :
       {Words{"--help"}, Words{"--version"}, Words{"check", "--help"}, Words{"rule", "GRA001"},
        Words{"rule", "--all", "--format", "json"}, Words{"targets"}, Words{"targets", "aimet"}})
    CHECK(run_quietly(words) == clean);
}

TEST_CASE("help and version are commands, too, as elsewhere") {
  for (const Words& words : {Words{"help"}, Words{"version"}, Words{"help", "verify"}})
    CHECK(run_quietly(words) == clean);
  CHECK_THAT(complaint({"help", "verfy"}), Catch::Contains("`verify`"));
}

TEST_CASE("a command of another program is told what it is called here") {
  CHECK_THAT(complaint({"lint", "net.pt"}), Catch::Contains("did you mean `check`?"));
  CHECK_THAT(complaint({"compare", "a.pt", "b.pt"}), Catch::Contains("did you mean `verify`?"));
  CHECK_THAT(complaint({"explain", "GRA001"}), Catch::Contains("`rule`"));
  CHECK_THAT(complaint({"quantize-plan", "a.onnx"}), Catch::Contains("`quantise-plan`"));
}

TEST_CASE("an option of one letter is named, with those that it may stand for") {
  CHECK_THAT(complaint({"verify", "a.pt", "b.pt", "-z"}), Catch::Contains("no option `-z`"));
  CHECK_THAT(complaint({"check", "a.pt", "-t", "onnx"}), Catch::Contains("`--target`"));
  CHECK(understands({"verify", "a.pt", "b.pt", "-o", "report.txt"}));
  CHECK_FALSE(understands({"verify", "a.pt", "b.pt", "-z"}));
}

TEST_CASE("a word that an option does not know is answered with the nearest") {
  CHECK_THAT(complaint({"check", "a.pt", "--fail-on", "errors"}),
             Catch::Contains("did you mean `error`?"));
  CHECK_THAT(complaint({"check", "a.pt", "--target", "OpenVINO"}),
             Catch::Contains("did you mean `openvino`?"));
  CHECK_THAT(complaint({"check", "a.pt", "--json"}), Catch::Contains("`--output-format json`"));
  CHECK_THAT(complaint({"check", "a.pt", "--input-shape", "1x3"}), Catch::Contains("`--input`"));
}

TEST_CASE("an option of another command is named by the one that this command has") {
  CHECK_THAT(complaint({"graph", "a.pt", "--output-format", "dot"}), Catch::Contains("`--format`"));
}

TEST_CASE("every command ends its help with examples, which it understands") {
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    CHECK_FALSE(command.examples.empty());
    for (const Example& example : command.examples) {
      CAPTURE(example.line);
      CHECK(words_of(example.line).front() == command.name);
      CHECK(understands(words_of(example.line)));
    }
  }
}
