#include "cli/command_line.h"
#include "cli/console/exit_status.h"
#include "support/captured.h"

#include <catch2/catch.hpp>

#include <iostream>

using namespace model_validator;
using namespace model_validator::cli;
using Words = std::vector<std::string>;

namespace {

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
