#include "lint/work_queue.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <stdexcept>

using namespace model_validator;

namespace {

std::vector<std::size_t> handed_over(std::size_t count, unsigned threads) {
  std::vector<std::size_t> results;
  work_in_order<std::size_t>(
      count, threads, {},
      [](std::size_t i) {
        // Later pieces finish first, so that order has to be made.
        std::this_thread::sleep_for(std::chrono::microseconds(i % 2 ? 0 : 200));
        return i;
      },
      [&](std::size_t i) { results.push_back(i); });
  return results;
}

} // namespace

TEST_CASE("results come in order, whatever the number of threads") {
  for (const unsigned threads : {0U, 1U, 3U, 16U}) {
    const auto results = handed_over(20, threads);
    REQUIRE(results.size() == 20);
    CHECK(std::is_sorted(results.begin(), results.end()));
  }
  CHECK(handed_over(0, 4).empty());
}

TEST_CASE("a request to stop hands over what is finished") {
  std::stop_source stop;
  std::size_t last = 0;
  const std::size_t done = work_in_order<std::size_t>(
      1000, 1, stop.get_token(),
      [&](std::size_t i) {
        if (i == 5) stop.request_stop();
        return i;
      },
      [&](std::size_t i) { last = i; });
  CHECK(done <= 6);
  CHECK(last <= 5);
}

TEST_CASE("an exception while a result is taken ends the threads") {
  const auto run = [] {
    work_in_order<std::size_t>(
        1000, 4, {}, [](std::size_t i) { return i; },
        [](std::size_t) { throw std::runtime_error("the disk is full"); });
  };
  CHECK_THROWS_WITH(run(), "the disk is full");
}
