#include <model_validator/error.h>
#include <model_validator/verify/checker_settings.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

TEST_CASE("every checker is made by its name") {
  for (const std::string& name : checker_names()) {
    CheckerSettings settings;
    settings.name = name;
    CHECK(make_checker(settings)->name() == name);
  }
  CheckerSettings unknown;
  unknown.name = "nearly";
  CHECK_THROWS_AS(make_checker(unknown), Error);
}

TEST_CASE("what can never be reached, or always is, is no setting") {
  CheckerSettings correlated;
  correlated.pcc.all = 5;
  CHECK_THROWS_AS(make_checker(correlated), Error);
  correlated.pcc.all = 1;
  CHECK_NOTHROW(make_checker(correlated));
  correlated.pcc.by_output["y"] = 1.1;
  CHECK_THROWS_AS(make_checker(correlated), Error);

  CheckerSettings quantised;
  quantised.name = "quantised";
  for (const double agreement : {-1.0, 2.0}) {
    quantised.agreement = agreement;
    CHECK_THROWS_AS(make_checker(quantised), Error);
  }
}
