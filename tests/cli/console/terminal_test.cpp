#include "cli/console/terminal.h"
#include "support/captured.h"

#include <catch2/catch.hpp>

#include <cstdio>

using namespace model_validator;
using namespace model_validator::cli;

TEST_CASE("a stream that is not a terminal gets no colour and no width, unless asked for") {
  const test::Captured captured(stdout);
  const bool automatic = wants_color(ColorChoice::automatic, Stream::output);
  const bool always = wants_color(ColorChoice::always, Stream::output);
  const auto width = terminal_width(Stream::output);
  CHECK_FALSE(automatic);
  CHECK(always);
  CHECK(width == 0);
  CHECK_FALSE(wants_color(ColorChoice::never, Stream::output));
}
