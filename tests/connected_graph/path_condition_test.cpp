#include "connected_graph/path_condition.h"

#include <catch2/catch.hpp>

#include <random>

using namespace model_validator;

TEST_CASE("unconditional events add up") {
  CHECK(largest_total({{{}, 1}, {{}, 3}}) == 4);
  CHECK(largest_total({}) == 0);
}

TEST_CASE("events of opposite arms exclude each other") {
  CHECK(largest_total({{{{0, true}}, 1}, {{{0, false}}, 2}}) == 2);
}

TEST_CASE("events of independent decisions add up") {
  CHECK(largest_total({{{{0, true}}, 1}, {{{1, false}}, 1}, {{}, 1}}) == 3);
}

TEST_CASE("literals of one condition hold together") {
  CHECK(largest_total(
            {{{{0, true}, {1, true}}, 5}, {{{0, true}, {1, false}}, 3}, {{{1, false}}, 3}}) == 6);
}

TEST_CASE("conditions are compatible unless they decide one thing differently") {
  CHECK(compatible({{0, true}}, {{1, false}}));
  CHECK(compatible({{0, true}}, {{0, true}, {1, false}}));
  CHECK_FALSE(compatible({{0, true}, {1, true}}, {{1, false}}));
}

TEST_CASE("the largest total agrees with trying every assignment") {
  std::mt19937 random(20261121);
  for (int round = 0; round < 200; ++round) {
    std::vector<WeightedCondition> events;
    for (unsigned i = 0, n = random() % 8; i < n; ++i) {
      WeightedCondition event{{}, 1 + random() % 3};
      for (std::size_t decision = 0; decision < 5; ++decision)
        if (random() % 3 == 0) event.condition.push_back({decision, random() % 2 == 0});
      events.push_back(event);
    }
    std::size_t best = 0;
    for (unsigned assignment = 0; assignment < 32; ++assignment) {
      std::size_t total = 0;
      for (const WeightedCondition& event : events) {
        bool holds = true;
        for (const Literal& literal : event.condition)
          holds = holds && (((assignment >> literal.decision) & 1U) != 0) == literal.then;
        total += holds ? event.times : 0;
      }
      best = std::max(best, total);
    }
    CHECK(largest_total(events) == best);
  }
}

TEST_CASE("thousands of decisions end in time with an upper bound") {
  std::vector<WeightedCondition> events;
  for (std::size_t i = 0; i < 2000; ++i) events.push_back({{{i, true}, {i + 1, false}}, 1});
  CHECK(largest_total(events) >= 1000);
}
