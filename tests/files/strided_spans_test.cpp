#include "files/strided_spans.h"

#include <catch2/catch.hpp>

#include <limits>
#include <string>

using namespace model_validator;

namespace {

/// `0+24 32+8`: the offset and size of each span.
std::string spans(const StridedLayout& layout) {
  std::string text;
  for (const ByteSpan& span : strided_spans(layout))
    text +=
        (text.empty() ? "" : " ") + std::to_string(span.offset) + '+' + std::to_string(span.size);
  return text;
}

} // namespace

TEST_CASE("a dense tensor is one span, whatever the order of its dimensions") {
  CHECK(spans({0, {2, 3}, {3, 1}, 4}) == "0+24");
  CHECK(spans({0, {3, 2}, {1, 3}, 4}) == "0+24");
  CHECK(spans({5, {2, 3}, {3, 1}, 2}) == "10+12");
  CHECK(spans({0, {}, {}, 8}) == "0+8");
}

TEST_CASE("what a view skips is no part of it") {
  CHECK(spans({1, {3, 2}, {4, 1}, 4}) == "4+8 20+8 36+8");
  CHECK(spans({0, {3}, {2}, 1}) == "0+1 2+1 4+1");
}

TEST_CASE("what a view repeats is there once") {
  CHECK(spans({0, {5, 3}, {0, 1}, 4}) == "0+12");
  CHECK(spans({0, {1, 3}, {100, 1}, 4}) == "0+12");
}

TEST_CASE("a view of very many runs is one span from its first byte to its last") {
  CHECK(spans({0, {10000}, {2}, 1}) == "0+19999");
}

TEST_CASE("an empty tensor, and one beyond 64 bits, have no bytes") {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  CHECK(spans({0, {0, 3}, {3, 1}, 4}).empty());
  CHECK(spans({0, {most}, {most}, 4}).empty());
  CHECK(spans({most, {2}, {1}, 4}).empty());
}
