#include "logging/log.h"
#include "support/captured.h"

#include <catch2/catch.hpp>

#include <cstdio>

using namespace model_validator;
using test::Captured;

namespace {

std::string logged(LogLevel least, const LogEntries& entries, const std::string& about = "") {
  const Captured captured(stderr);
  Log(least, false).write(entries, about);
  return captured.text();
}

} // namespace

TEST_CASE("a log line is its level and its text, without a time") {
  CHECK(logged(LogLevel::info, {{LogLevel::info, "All validation checks passed."}}) ==
        "info: All validation checks passed.\n");
}

TEST_CASE("entries beneath the level are left out") {
  const LogEntries entries{{LogLevel::debug, "d"}, {LogLevel::info, "i"}, {LogLevel::error, "e"}};
  CHECK(logged(LogLevel::warning, entries) == "error: e\n");
  CHECK(logged(LogLevel::off, entries).empty());
}

TEST_CASE("the file is named where several are worked on") {
  CHECK(logged(LogLevel::info, {{LogLevel::info, "x"}}, "a.pt") == "info: a.pt: x\n");
}

TEST_CASE("control characters in the log are escaped, line breaks stay") {
  CHECK(logged(LogLevel::info, {{LogLevel::warning, "a\x1b\nb"}}) == "warning: a\\x1b\nb\n");
}

TEST_CASE("log levels are read back from their names") {
  for (const LogLevel level :
       {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error, LogLevel::off})
    CHECK(log_level_from(to_string(level)) == level);
  CHECK_FALSE(log_level_from("loud"));
}
