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
std::vector<std::size_t> portions(std::size_t count, std::size_t bytes_each) {
  std::vector<std::size_t> sizes;
  show_in_portions(counted(count), [&](const std::vector<int>& shown) {
    sizes.push_back(shown.size());
    return shown.size() * bytes_each;
  });
  return sizes;
}

using Sizes = std::vector<std::size_t>;

} // namespace

TEST_CASE("every item is shown once, in its order") {
  for (std::size_t count : {0, 1, 31, 32, 33, 1000}) {
    std::vector<int> seen;
    show_in_portions(counted(count), [&](const std::vector<int>& shown) {
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
  CHECK(portions(50, 4 << 20) == Sizes{32, 8, 8, 2});
  CHECK(portions(34, std::size_t{1} << 30) == Sizes{32, 1, 1});
}

TEST_CASE("portions follow the last measured sizes") {
  Portion portion;
  portion.learn(32, std::size_t{32} << 30);
  CHECK(portion.size() == 1);
  portion.learn(1, 1);
  CHECK(portion.size() == 2);
}
