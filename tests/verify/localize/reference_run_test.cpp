#include "verify/localize/reference_run.h"

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

using namespace model_validator::verify;

namespace {

/// A model of two ops, whose results have so many numbers; counts how often it runs.
ShowRun two_ops(std::int64_t numbers, int& runs) {
  return [numbers, &runs](const IntermediateRun& run) -> std::optional<std::vector<at::Tensor>> {
    ++runs;
    for (const auto& [name, value] : {std::pair{"first", 1}, std::pair{"second", 2}})
      if (run.visit && (!run.wanted || run.wanted(name)))
        run.visit({name, "Add", {}, at::full({numbers}, value, c10::kFloat), name, true});
    return std::vector<at::Tensor>{at::full({1}, 3)};
  };
}

} // namespace

TEST_CASE("a reference of small results does not run again to give them") {
  int runs = 0, of_moved = 0;
  const auto reference = run_of_backend(two_ops(4, runs), two_ops(4, of_moved));
  const auto found = reference->results_of({{0, 0}, {1, 0}});
  REQUIRE(found.size() == 2);
  CHECK(found.at({0, 0}).equal(at::full({4}, 1, c10::kFloat)));
  CHECK(found.at({1, 0}).equal(at::full({4}, 2, c10::kFloat)));
  CHECK(runs == 1);
}

TEST_CASE("of a reference of large results only those are kept that are asked for") {
  constexpr std::int64_t numbers = 10 << 20; // the second no longer fits
  int runs = 0, of_moved = 0;
  const auto reference = run_of_backend(two_ops(numbers, runs), two_ops(numbers, of_moved));
  CHECK(reference->results_of({{0, 0}}).size() == 1);
  CHECK(runs == 1);
  const auto found = reference->results_of({{0, 0}, {1, 0}});
  REQUIRE(found.size() == 2);
  CHECK(found.at({1, 0})[0].item<float>() == 2);
  CHECK(runs == 2);
}
