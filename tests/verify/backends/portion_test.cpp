#include "verify/backends/portion.h"

#include <catch2/catch.hpp>

#include <numeric>

using namespace model_validator::verify;

namespace {

std::vector<int> counted(std::size_t count) {
  std::vector<int> items(count);
  std::iota(items.begin(), items.end(), 0);
  return items;
}

/// The sizes of the portions in which items that weigh so much each are shown.
/// @param given  bytes, to the model
std::vector<std::size_t> portions(std::size_t count, std::size_t bytes_each,
                                  std::size_t given = 4 << 20) {
  std::vector<std::size_t> sizes;
  show_in_portions(counted(count), given, [&](const std::vector<int>& shown) {
    sizes.push_back(shown.size());
    return shown.size() * bytes_each;
  });
  return sizes;
}

using Sizes = std::vector<std::size_t>;

} // namespace

TEST_CASE("every item is shown once, in its order") {
  for (std::size_t count : {0, 1, 63, 64, 65, 1000}) {
    std::vector<int> seen;
    show_in_portions(counted(count), 0, [&](const std::vector<int>& shown) {
      CHECK_FALSE(shown.empty());
      seen.insert(seen.end(), shown.begin(), shown.end());
      return shown.size() << 20;
    });
    CHECK(seen == counted(count));
  }
}

TEST_CASE("portions of small items grow, up to a limit") {
  CHECK(portions(1000, 1) == Sizes{32, 64, 128, 256, 256, 256, 8});
  CHECK(portions(200, 0) == Sizes{32, 64, 104});
}

TEST_CASE("portions of large items shrink to what may be kept at a time") {
  CHECK(portions(50, 4 << 20) == Sizes{32, 16, 2});
  CHECK(portions(34, std::size_t{1} << 30) == Sizes{32, 1, 1});
}

TEST_CASE("the first portion is larger where the model is given little") {
  CHECK(portions(49, 1, 0) == Sizes{49});
  CHECK(portions(49, 1, 600 << 10) == Sizes{49});
  CHECK(portions(49, 1, 100 << 20) == Sizes{32, 17});
}

TEST_CASE("portions follow the last measured sizes") {
  Portion portion(0);
  portion.learn(32, std::size_t{32} << 30);
  CHECK(portion.size() == 1);
  portion.learn(1, 1);
  CHECK(portion.size() == 2);
}
