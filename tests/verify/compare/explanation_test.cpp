#include "random_values.h"
#include "verify/compare/explanation.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace model_validator::verify;

namespace {

std::vector<double> noise_of(std::size_t count, double size, unsigned seed) {
  std::vector<double> noise;
  for (const float value : normal_values(count, seed)) noise.push_back(size * value);
  return noise;
}

std::vector<double> sum(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(x[i] + y[i]);
  return result;
}

/// Forty rows of twenty-five; others and candidate differ from the reference by noise.
OutputRuns noisy_runs(double of_others, double of_candidate) {
  OutputRuns runs{{40, 25}, noise_of(1000, 1, 1), {}, {}};
  for (unsigned seed = 2; seed < 5; ++seed)
    runs.others.push_back(sum(runs.reference, noise_of(1000, of_others, seed)));
  runs.candidate = sum(runs.reference, noise_of(1000, of_candidate, 9));
  return runs;
}

const NoiseLimits limits = Limits{}.stored;

} // namespace

TEST_CASE("noise as large as that of other runs is explained, a few times as much is not") {
  // The root mean square of the greatest of three changes is about 1.7 deviations.
  CHECK_FALSE(find_excess(noisy_runs(1e-3, 1e-3), limits, 0));
  CHECK_FALSE(find_excess(noisy_runs(1e-3, 2.8e-3), limits, 0));
  CHECK(find_excess(noisy_runs(1e-3, 4e-3), limits, 0));
  CHECK_FALSE(find_excess(noisy_runs(1e-3, 4e-3), limits, 0.1));
}

TEST_CASE("structure counts where its size would be excused over the whole") {
  OutputRuns runs = noisy_runs(1e-2, 1e-3);
  SECTION("one row") {
    for (std::size_t i = 0; i < 25; ++i) runs.candidate[3 * 25 + i] += 0.07 * (i % 2 == 0 ? 1 : -1);
    const auto excess = find_excess(runs, limits, 0);
    REQUIRE(excess);
    CHECK_THAT(excess->words, Catch::Contains("index 3 of axis 0"));
  }
  SECTION("one channel") {
    for (std::size_t row = 0; row < 40; ++row) runs.candidate[row * 25 + 7] += 0.07;
    const auto excess = find_excess(runs, limits, 0);
    REQUIRE(excess);
    CHECK_THAT(excess->words, Catch::Contains("index 7 of axis 1"));
  }
  SECTION("a scale") {
    for (double& value : runs.candidate) value *= 1.01;
    const auto excess = find_excess(runs, limits, 0);
    REQUIRE(excess);
    CHECK_THAT(excess->words, Catch::Contains("scale of the output"));
  }
  SECTION("one element") {
    runs.candidate[500] += 0.5;
    REQUIRE(find_excess(runs, limits, 0));
    runs.candidate[500] -= 0.47;
    CHECK_FALSE(find_excess(runs, limits, 0));
  }
}

TEST_CASE("noise excuses the elements that have it, and no others") {
  OutputRuns runs = noisy_runs(1e-6, 1e-6);
  runs.others[0][77] += 0.3; // a near tie
  runs.candidate[77] -= 0.4;
  runs.candidate[78] -= 0.4;
  const Excuses excuses = find_excuses(runs, {});
  CHECK(excuses.excused[77]);
  CHECK_FALSE(excuses.excused[78]);
  CHECK(excuses.excused[100]);
  CHECK_FALSE(excuses.is_undecided);
  SECTION("four times what moves the element itself, 16 times what moves most near it") {
    runs.candidate = runs.reference;
    runs.candidate[77] += 3.9 * 0.3;
    CHECK(find_excuses(runs, {}).excused[77]);
    runs.candidate[77] += 0.2 * 0.3;
    CHECK_FALSE(find_excuses(runs, {}).excused[77]);
    runs.candidate[5] += 1e-5;
    CHECK(find_excuses(runs, {}).excused[5]);
    runs.candidate[5] += 2e-5;
    CHECK_FALSE(find_excuses(runs, {}).excused[5]);
    CHECK(find_excuses(runs, {1e-3}).excused[5]);
  }
}

TEST_CASE("where noise moves most elements by their own size nothing is decided") {
  CHECK(find_excuses(noisy_runs(2, 2), {}).is_undecided);
  CHECK_FALSE(find_excuses(noisy_runs(0.1, 0.1), {}).is_undecided);
}

TEST_CASE("another winner of a row counts unless the two are nearly tied") {
  OutputRuns runs{
      {2, 5}, {1, 2, 3, 3 + 1e-7, 0, 9, 1, 2, 3, 0}, {1, 2, 3 + 2e-7, 3, 0, 9, 1, 2, 3, 0}, {}};
  CHECK(any_other_winner(runs));
  runs.others = {sum(runs.reference, {1e-7, 1e-7, 1e-7, 1e-7, 0, 0, 0, 0, 0, 0})};
  CHECK(compare_winners(runs, {}).changed == 1);
  CHECK(compare_winners(runs, {}).unexplained == 0);
  runs.candidate[6] = 9.1;
  const Winners winners = compare_winners(runs, {});
  CHECK(winners.unexplained == 1);
  CHECK_THAT(winners.first, Catch::Contains("row 1: 1 instead of 0"));
  runs.candidate = runs.reference;
  CHECK_FALSE(any_other_winner(runs));
}

TEST_CASE("a kernel may take what float32 holds with fewer digits for 0") {
  const auto unexplained = [](double lead) {
    OutputRuns runs{{1, 5}, {0, lead, 0, 0, 0}, {0, 0, lead, 0, 0}, {}};
    return compare_winners(runs, {}).unexplained;
  };
  CHECK(unexplained(1.1e-38) == 0);
  CHECK(unexplained(1.3e-38) == 1);
}

TEST_CASE("where results are rounded to steps any element may move by one") {
  OutputRuns runs = noisy_runs(1e-9, 1e-9);
  runs.others[0][10] += 0.1;
  runs.candidate[20] += 0.15;
  CHECK_FALSE(find_excuses(runs, {}).excused[20]);
  CHECK(find_excuses(runs, {0, true}).excused[20]);
  runs.candidate[20] += 0.1;
  CHECK_FALSE(find_excuses(runs, {0, true}).excused[20]);
}

TEST_CASE("what varies in the reference and nowhere in the candidate is lost") {
  constexpr std::int64_t rows = 16;
  OutputRuns runs{{rows, 2}, {}, {}, {}};
  for (std::int64_t i = 0; i < rows; ++i) {
    runs.reference.insert(runs.reference.end(),
                          {100.0 + static_cast<double>(i), 0.01 * static_cast<double>(i)});
    runs.candidate.insert(runs.candidate.end(), {100.0 + static_cast<double>(i), 0});
  }
  const auto lost = find_lost(runs, 0.01);
  REQUIRE(lost);
  CHECK_FALSE(lost->is_whole);
  CHECK_THAT(lost->words, Catch::StartsWith("index 1 of axis 1"));
  CHECK_FALSE(find_lost(runs, 0.2)); // less than matters
  OutputRuns alive = runs;
  alive.candidate[5] = 0.1;
  CHECK_FALSE(find_lost(alive, 0.01));
  OutputRuns constant = runs;
  for (std::size_t i = 1; i < constant.size(); i += 2) constant.reference[i] = 0.1;
  CHECK_FALSE(find_lost(constant, 0.01));
  OutputRuns whole{{rows}, {}, std::vector<double>(rows, 1), {}};
  for (std::int64_t i = 0; i < rows; ++i) whole.reference.push_back(static_cast<double>(i));
  CHECK(find_lost(whole, 0.01)->is_whole);
  whole.shape = {rows - 1};
  whole.reference.pop_back();
  whole.candidate.pop_back();
  CHECK_FALSE(find_lost(whole, 0.01)); // so few may be equal
}

TEST_CASE("an exact zero rounds as the other elements do") {
  OutputRuns runs{{64}, std::vector<double>(64, 1), {}, {}};
  for (std::size_t i = 0; i < 32; ++i) runs.reference[i] = 0;
  runs.candidate = runs.reference;
  runs.others.push_back(runs.reference);
  for (std::size_t i = 32; i < 64; ++i) runs.others[0][i] += i % 2 == 0 ? 1e-7 : -1e-7;
  runs.candidate[3] = 1e-6;
  CHECK(find_excuses(runs, {}).excused[3]);
  runs.candidate[3] = 2e-6;
  CHECK_FALSE(find_excuses(runs, {}).excused[3]);
}

TEST_CASE("results are drowned where errors have half their energy, and show") {
  OutputRuns runs{{4}, {0.4, 0.2, 0.1, 0.3}, {0.4, 0.2, 0.1, 0.3}, {}};
  CHECK_FALSE(is_drowned(runs, 0.05));
  runs.candidate = {0.2, 0.2, 0.1, 0.6}; // the energy is 0.3, that of the errors 0.13
  CHECK_FALSE(is_drowned(runs, 0.05));
  runs.candidate = {0.1, 0.2, 0.1, 0.6}; // 0.18
  CHECK(is_drowned(runs, 0.05));
  CHECK_FALSE(is_drowned(runs, 0.5));
  runs.reference[3] = runs.candidate[3] = std::nan("");
  CHECK_FALSE(is_drowned(runs, 0.05));
}
