#include "verify/compare/worst_elements.h"

#include <catch2/catch.hpp>

using namespace model_validator::verify;

namespace {

std::vector<std::int64_t> positions(const WorstElements& kept) {
  std::vector<std::int64_t> result;
  for (const PlacedElement& element : kept.sorted()) result.push_back(element.position);
  return result;
}

} // namespace

TEST_CASE("the greatest keys are kept, in falling order") {
  WorstElements kept(2, 0);
  for (std::int64_t i = 0; i < 10; ++i) kept.add(static_cast<double>(i * 7 % 10), {i, 0, 0, 0});
  CHECK(positions(kept) == std::vector<std::int64_t>{7, 4});
}

TEST_CASE("of equal keys the first is kept, also across parts") {
  WorstElements first(2, 0), second(2, 0);
  for (std::int64_t i : {5, 6, 7}) second.add(1, {i, 0, 0, 0});
  for (std::int64_t i : {2, 9}) first.add(1, {i, 0, 0, 0});
  second.merge(first);
  CHECK(positions(second) == std::vector<std::int64_t>{2, 5});
}

TEST_CASE("keys at the floor are not worth keeping") {
  WorstElements kept(3, 0);
  kept.add(0, {1, 0, 0, 0});
  CHECK(positions(kept).empty());
}

TEST_CASE("none are kept where none are wanted") {
  WorstElements kept(0);
  kept.add(5, {1, 0, 0, 0});
  CHECK(positions(kept).empty());
}
