#include "cli/check/check_options.h"

#include <model_validator/error.h>

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::cli;
using Words = std::vector<std::string>;

namespace {

CheckOptions parsed(Words words) {
  CLI::App app;
  CheckOptions options;
  add_check_options(app, options);
  std::reverse(words.begin(), words.end());
  app.parse(words);
  return options;
}

} // namespace

TEST_CASE("an option with a list does not swallow the models") {
  const CheckOptions options =
      parsed({"--select", "GRA001,GRA002", "a.pt", "--target", "onnx", "b.pt"});
  CHECK(options.settings.selection.select == Words{"GRA001", "GRA002"});
  CHECK(options.settings.targets == Words{"onnx"});
  CHECK(options.models == Words{"a.pt", "b.pt"});
}

TEST_CASE("an option given twice adds up") {
  CHECK(parsed({"--ignore", "A,B", "--ignore", "C", "m.pt"}).settings.selection.ignore ==
        Words{"A", "B", "C"});
}

TEST_CASE("standard input is a model") { CHECK(parsed({"-"}).models == Words{"-"}); }

TEST_CASE("the command line is a layer of settings that leaves open what was not given") {
  const Config nothing = parsed({"m.pt"}).config();
  CHECK_FALSE(nothing.selection.select);
  CHECK_FALSE(nothing.targets);
  CHECK_FALSE(nothing.fail_on);
  const Config given =
      parsed({"m.pt", "--severity", "GRA001=error", "--fail-on", "never", "--opset", "13"})
          .config();
  CHECK(given.severity.at("GRA001") == Severity::error);
  CHECK(given.fail_on == Severity::off);
  CHECK(given.opset == 13);
}

TEST_CASE("a severity that cannot be read is an error") {
  for (const char* text : {"GRA001", "GRA001=loud", "=error"})
    CHECK_THROWS_AS(parsed({"m.pt", "--severity", text}), Error);
}

TEST_CASE("a number out of its range, or none, is refused") {
  for (const char* text : {"nan", "inf", "0", "-1", "1e9", "five", ""})
    CHECK_THROWS_AS(parsed({"m.pt", std::string("--timeout=") + text}), CLI::ParseError);
  for (const char* text : {"-1", "99999999999999999999", "1.5", "nan"})
    CHECK_THROWS_AS(parsed({"m.pt", std::string("--max-steps=") + text}), CLI::ParseError);
  CHECK_NOTHROW(parsed({"m.pt", "--timeout=0.5", "--max-steps=0", "--seed=18446744073709551615"}));
}

TEST_CASE("what is not among the choices is refused") {
  CHECK_THROWS_AS(parsed({"m.pt", "--output-format", "xml"}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({"m.pt", "--color", "sometimes"}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({"m.pt", "-j", "0"}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({"m.pt", "-q", "-v"}), CLI::ParseError);
  CHECK_THROWS_AS(parsed({}), CLI::ParseError);
}

TEST_CASE("the checks are logged for who asks for a log") {
  CHECK(parsed({"m.pt"}).least_log_level() == LogLevel::info);
  CHECK(parsed({"m.pt", "-q"}).least_log_level() == LogLevel::off);
  CHECK(parsed({"m.pt", "-v"}).least_log_level() == LogLevel::debug);
  CHECK(parsed({"m.pt", "-q", "--log-level", "info"}).least_log_level() == LogLevel::info);
  CHECK_FALSE(parsed({"m.pt"}).logs_checks());
  CHECK(parsed({"m.pt", "-v"}).logs_checks());
  CHECK(parsed({"m.pt", "--log-level", "warning"}).logs_checks());
}
