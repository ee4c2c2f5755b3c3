#include "connected_graph/call_sites.h"

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

constexpr auto then_arm = Region::Kind::then_arm;
constexpr auto else_arm = Region::Kind::else_arm;

CallSite in(RegionId region, std::size_t times = 1) {
  CallSite site;
  site.region = region;
  site.times = times;
  return site;
}

} // namespace

TEST_CASE("calls on one path: what runs one after the other adds up") {
  CHECK(calls_on_one_path({}, {}) == 0);
  CHECK(calls_on_one_path({in(none), in(none)}, {}) == 2);
}

TEST_CASE("calls on one path: the arms of an if exclude each other") {
  const std::vector<Region> regions{{then_arm, 0, none, none}, {else_arm, 0, none, none}};
  CHECK(calls_on_one_path({in(0), in(1)}, regions) == 1);
  CHECK(calls_on_one_path({in(0), in(1), in(1)}, regions) == 2);
  CHECK(calls_on_one_path({in(0), in(none)}, regions) == 2);
}

TEST_CASE("calls on one path: two ifs may both be taken") {
  const std::vector<Region> regions{{then_arm, 0, none, none}, {then_arm, 1, none, none}};
  CHECK(calls_on_one_path({in(0), in(1)}, regions) == 2);
}

TEST_CASE("calls on one path: arms within arms") {
  const std::vector<Region> regions{{then_arm, 0, none, none},
                                    {else_arm, 0, none, none},
                                    {then_arm, 1, 0, none},
                                    {else_arm, 1, 0, none}};
  CHECK(calls_on_one_path({in(2), in(3), in(1)}, regions) == 1);
  CHECK(calls_on_one_path({in(0), in(2), in(1)}, regions) == 2);
}

TEST_CASE("calls on one path: a loop counts as often as it may run") {
  const std::vector<Region> regions{{Region::Kind::loop_body, 0, none, none}};
  CHECK(calls_on_one_path({in(0, 2)}, regions) == 2);
}
