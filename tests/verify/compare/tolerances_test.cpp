#include <model_validator/error.h>
#include <model_validator/verify/tolerances.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

TEST_CASE("a tolerance for all outputs, and others by name") {
  const OutputTolerances tolerances = parse_tolerances("1e-5,logits=1e-3,a=b=0.5", "--atol");
  CHECK(tolerances.find("hidden") == 1e-5);
  CHECK(tolerances.find("logits") == 1e-3);
  CHECK(tolerances.find("a=b") == 0.5);
  CHECK_FALSE(parse_tolerances("logits=1", "--atol").find("hidden").has_value());
}

TEST_CASE("a text that is not a tolerance is named") {
  for (const char* text : {"", "abc", "1e-5,", "=3", "logits=", "-1", "nan", "inf", "1e-5x"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_tolerances(text, "--atol"), Error);
  }
  CHECK_THROWS_WITH(parse_tolerances("1e-5,logits=x", "--atol"),
                    "`logits=x` is not a tolerance for --atol");
}
