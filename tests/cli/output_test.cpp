#include "cli/output.h"
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
