#include "fixes/bisection.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace model_validator::fixes;

namespace {

using Numbers = std::vector<std::size_t>;

/// Tries numbers of which some never hold.
struct Trials {
  std::set<std::size_t> bad;
  std::vector<Numbers> tried = {};

  Bisection run(std::size_t count) {
    return keep_valid(count, [this](const Numbers& chosen) -> std::optional<std::string> {
      tried.push_back(chosen);
      for (const std::size_t number : chosen)
        if (bad.count(number)) return "because of " + std::to_string(number);
      return std::nullopt;
    });
  }
};

} // namespace

TEST_CASE("what holds is tried once") {
  Trials trials{{}};
  const Bisection found = trials.run(40);
  CHECK(found.kept.size() == 40);
  CHECK(found.rejected.empty());
  CHECK(trials.tried.size() == 1);
}

TEST_CASE("no trial is run without items") {
  Trials trials{{}};
  CHECK(trials.run(0).kept.empty());
  CHECK(trials.tried.empty());
}

TEST_CASE("every culprit is found, and all others are kept") {
  for (const std::set<std::size_t>& bad :
       {std::set<std::size_t>{0}, {39}, {7, 8}, {0, 19, 20, 39}}) {
    Trials trials{bad};
    const Bisection found = trials.run(40);
    CHECK(found.kept.size() == 40 - bad.size());
    std::set<std::size_t> named;
    for (const Rejected& culprit : found.rejected) {
      named.insert(culprit.index);
      CHECK(culprit.reason == "because of " + std::to_string(culprit.index));
    }
    CHECK(named == bad);
    CHECK(std::find(trials.tried.begin(), trials.tried.end(), found.kept) != trials.tried.end());
    CHECK(trials.tried.size() <= bad.size() * 14 + 1);
  }
}

TEST_CASE("of two that do not hold together one is kept") {
  const Bisection found = keep_valid(2, [](const Numbers& chosen) {
    return chosen.size() == 2 ? std::optional<std::string>("together") : std::nullopt;
  });
  CHECK(found.kept == Numbers{0});
  REQUIRE(found.rejected.size() == 1);
  CHECK(found.rejected.front().index == 1);
}
