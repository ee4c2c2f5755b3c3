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
  for (const char* text :
       {"", "abc", "1e-5,", "=3", "logits=", "-1", "nan", "inf", "1e-5x", "1,2", "y=1,y=2"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_tolerances(text, "--atol"), Error);
  }
  CHECK_THROWS_WITH(parse_tolerances("1e-5,logits=x", "--atol"),
                    "`logits=x` is not a tolerance for --atol");
}

TEST_CASE("a tolerance may call its output by its name, its position or the candidate's name") {
  const std::vector<OutputNames> outputs{{"logits", {"0", "lambda_1"}}, {"1", {"1", "probs"}}};
  const OutputTolerances tolerances =
      parse_tolerances("0.1,lambda_1=0.2,1=0.3", "--atol").of(outputs);
  CHECK(tolerances.all == 0.1);
  CHECK(tolerances.by_output == std::map<std::string, double>{{"logits", 0.2}, {"1", 0.3}});
  CHECK(parse_tolerances("probs=1", "--atol").of(outputs).find("1") == 1);
  CHECK(parse_tolerances("0=1", "--atol").of(outputs).find("logits") == 1);
}

TEST_CASE("an output's own name goes before another's position") {
  const std::vector<OutputNames> outputs{{"1", {"0"}}, {"0", {"1"}}};
  CHECK(parse_tolerances("1=0.5", "--atol").of(outputs).find("1") == 0.5);
}

TEST_CASE("a tolerance for what is no output, or twice for one, is refused") {
  const std::vector<OutputNames> outputs{{"logits", {"0"}}, {"probs", {"1"}}};
  CHECK_THROWS_WITH(parse_tolerances("nonsense=1", "--atol").of(outputs),
                    "a tolerance is given for `nonsense`, but no output is called that");
  CHECK_THROWS_WITH(parse_tolerances("logits=1,0=2", "--atol").of(outputs),
                    "two tolerances are given for the output `logits`");
}
