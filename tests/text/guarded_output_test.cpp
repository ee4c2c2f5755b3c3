#include "text/guarded_output.h"

#include <catch2/catch.hpp>

#include <sstream>

using namespace model_validator;

namespace {

std::string guarded(const std::string& text, bool color = false) {
  std::ostringstream out;
  GuardedStream(out, color) << text;
  return out.str();
}

} // namespace

TEST_CASE("an ordinary report passes as it is") {
  const std::string report = "resnet.py:101:14: warning[GRA001] größe × 2\n\t| a::b # ## c [1]\n";
  CHECK(guarded(report) == report);
}

TEST_CASE("no line begins with a command of a build server, whatever blanks stand before it") {
  CHECK(guarded("::error::x") == "\\x3a:error::x");
  CHECK(guarded("a\n \t::error::x\n") == "a\n \t\\x3a:error::x\n");
  CHECK(guarded("\u00a0\u3000::error::x") == "\u00a0\u3000\\x3a:error::x");
  CHECK(guarded("\x1b[1m::error::x", true) == "\x1b[1m\\x3a:error::x");
}

TEST_CASE("no word in a line is a command of a build server") {
  CHECK(guarded("op ##[add-path]/tmp") == "op \\x23#[add-path]/tmp");
  CHECK(guarded("###vso[task.complete]") == "#\\x23#vso[task.complete]");
  CHECK(guarded("##teamcity[x]") == "\\x23#teamcity[x]");
}

TEST_CASE("nothing steers the terminal but colours, where they are wanted") {
  CHECK(guarded("\x1b[1;31mred\x1b[0m\n", true) == "\x1b[1;31mred\x1b[0m\n");
  CHECK(guarded("\x1b[1;31mred") == "\\x1b[1;31mred");
  CHECK(guarded("\x1b]0;title\x07\r\u202e\x9b", true) == "\\x1b]0;title\\x07\\x0d\\u202e\\x9b");
  CHECK(guarded("\x1b[2J\x1b[", true) == "\\x1b[2J\\x1b[");
}

TEST_CASE("what is written in pieces is judged as the line that it makes") {
  std::ostringstream out;
  GuardedStream stream(out, false);
  stream << ' ' << ':' << ':' << "error::x" << '\n' << "a" << std::flush << "::b" << std::flush;
  CHECK(out.str() == " \\x3a:error::x\na::b");
}

TEST_CASE("a target that takes nothing more is an error of the stream") {
  struct Full : std::streambuf {
  } full;
  std::ostream target(&full);
  GuardedStream stream(target, false);
  stream << "text\n" << std::flush;
  CHECK_FALSE(stream);
}
