#include <model_validator/diagnostic.h>

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("a severity is read as it is written") {
  for (const auto severity : {Severity::off, Severity::info, Severity::warning, Severity::error})
    CHECK(severity_from(to_string(severity)) == severity);
  CHECK_FALSE(severity_from("fatal").has_value());
}
