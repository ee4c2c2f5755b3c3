#include "validators/options.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("an option that is not given, or of another type, has its default") {
  const RuleOptions options = {{"bytes", std::int64_t{5}}, {"gpu", std::string("yes")}};
  CHECK(option(options, "bytes", std::int64_t{1}) == 5);
  CHECK(option(options, "limit", std::int64_t{1}) == 1);
  CHECK_FALSE(option(options, "gpu", false));
}
