#include "cli/console/output.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::cli;

TEST_CASE("a result for a file is there once it is finished") {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "report.txt";
  Output output(file);
  output.stream() << "text";
  output.flush();
  CHECK_FALSE(std::filesystem::exists(file));
  output.finish();
  CHECK(test::content_of(file) == "text");
}

TEST_CASE("a full disk is an error, not a shortened report") {
  Output output("/dev/full");
  output.stream() << "text";
  CHECK_THROWS_AS(output.flush(), Error);
}

TEST_CASE("what steers a terminal or a build server does not pass, unless a format asks for it") {
  const test::TemporaryFolder folder;
  const auto written = [&](Passes passes) {
    const auto file = folder.path() / "report.txt";
    Output output(file, passes);
    output.stream() << "\x1b[1m::error::\x07";
    output.finish();
    return test::content_of(file);
  };
  CHECK(written(Passes::text) == "\\x1b[1m::error::\\x07");
  CHECK(written(Passes::colors) == "\x1b[1m\\x3a:error::\\x07");
  CHECK(written(Passes::commands) == "\x1b[1m::error::\x07");
}
