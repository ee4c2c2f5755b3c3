#include "connected_graph/shapes/size.h"

#include <catch2/catch.hpp>

#include <limits>

using model_validator::shapes::Size;
using model_validator::shapes::Sizes;
using Kind = Sizes::Solution::Kind;

namespace {

struct Names {
  Sizes sizes;
  Size b = sizes.symbol({"x", 0, "b"});
  Size h = sizes.symbol({"x", 1, "h"});

  Size times(Size size, std::int64_t factor) { return sizes.product(size, Size::of(factor)); }
  Size plus(Size size, std::int64_t number) { return sizes.sum(size, Size::of(number)); }
};

} // namespace

TEST_CASE("expressions that mean the same are the same") {
  Names n;
  CHECK(n.sizes.sum(n.b, n.h) == n.sizes.sum(n.h, n.b));
  CHECK(n.sizes.product(n.plus(n.h, 1), n.b) == n.sizes.sum(n.sizes.product(n.b, n.h), n.b));
  CHECK(n.sizes.difference(n.h, n.h) == Size::of(0));
  CHECK(n.sizes.symbol({"y", 3, "b"}) == n.b);
  CHECK(n.sizes.symbol({"y", 3, ""}) != n.sizes.symbol({"z", 3, ""}));
}

TEST_CASE("quotients are exact where they can be, and else rounded down") {
  Names n;
  CHECK(n.sizes.quotient(n.times(n.h, 6), Size::of(3)) == n.times(n.h, 2));
  CHECK(n.sizes.quotient(n.sizes.product(n.b, n.h), n.b) == n.h);
  CHECK(n.sizes.quotient(n.plus(n.times(n.h, 2), 1), Size::of(2)) == n.h);
  CHECK(n.sizes.text(n.sizes.quotient(n.plus(n.h, -1), Size::of(2))) == "floor((h + 1)/2) - 1");
  const Size half = n.sizes.quotient(n.h, Size::of(2));
  CHECK(n.sizes.quotient(half, Size::of(3)) == n.sizes.quotient(n.h, Size::of(6)));
  CHECK(n.sizes.exact_quotient(n.h, Size::of(2)) == Size{});
  CHECK(n.sizes.quotient(Size::of(-3), Size::of(2)) == Size::of(-2));
  CHECK(n.sizes.truncated_quotient(Size::of(-3), Size::of(2)) == Size::of(-1));
}

TEST_CASE("a remainder is known of numbers, and of what divides evenly") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  Names n;
  CHECK(n.sizes.remainder(Size::of(7), Size::of(3)) == Size::of(1));
  CHECK(n.sizes.remainder(Size::of(least), Size::of(-1)) == Size::of(0));
  CHECK(n.sizes.remainder(Size::of(least), Size::of(2)) == Size::of(0));
  CHECK(n.sizes.remainder(n.times(n.h, 6), Size::of(3)) == Size::of(0));
  CHECK(n.sizes.remainder(n.h, Size::of(3)) == Size{});
  CHECK(n.sizes.remainder(n.h, Size::of(-1)) == Size::of(0));
  CHECK(n.sizes.remainder(Size::of(7), Size::of(0)) == Size{});
  CHECK(n.sizes.remainder(Size{}, Size::of(-1)) == Size{});
}

TEST_CASE("expressions have a value for given sizes") {
  Names n;
  const Size size = n.sizes.minimum(n.sizes.quotient(n.plus(n.h, 3), Size::of(2)), n.b);
  CHECK(n.sizes.value(size, {10, 6}) == 4);
  CHECK(n.sizes.value(size, {2, 6}) == 2);
  CHECK(n.sizes.value(size, {2, std::nullopt}) == std::nullopt);
}

TEST_CASE("a limit by a number does not keep two sizes from being one") {
  Names n;
  const Size limited = n.sizes.minimum(n.h, Size::of(512));
  CHECK(limited != n.h);
  CHECK(n.sizes.without_limits(limited) == n.h);
  REQUIRE(n.sizes.limits_in(limited).size() == 1);
  CHECK(n.sizes.limits_in(limited)[0].second == 512);
  CHECK(n.sizes.solve(limited, n.h).kind == Kind::always);
}

TEST_CASE("a limit by a number may be the number too") {
  Names n;
  const Size last = n.sizes.minimum(n.h, Size::of(5));
  CHECK(n.sizes.solve(last, Size::of(5)).kind == Kind::open);
  CHECK(n.sizes.solve(last, Size::of(7)).kind == Kind::number);
  CHECK(n.sizes.solve(n.times(last, 2), Size::of(10)).kind == Kind::open);
  CHECK(n.sizes.solve(n.plus(n.sizes.minimum(n.times(n.h, 2), Size::of(5)), 1), Size::of(6)).kind ==
        Kind::open);
  CHECK(n.sizes.solve(n.plus(last, 6), Size::of(4)).kind == Kind::never);
  CHECK(n.sizes.minimum(last, n.h) == last);
  CHECK(n.sizes.minimum(n.h, last) == last);
}

TEST_CASE("sizes in proportion are equal for none but empty tensors") {
  Names n;
  const Size both = n.sizes.product(n.b, n.h);
  CHECK(n.sizes.solve(n.times(both, 24), n.times(both, 28)).kind == Kind::never);
  CHECK(n.sizes.solve(n.h, n.times(n.h, 2)).kind == Kind::never);
  CHECK(n.sizes.solve(n.times(both, 24), n.times(both, 24)).kind == Kind::always);
  CHECK(n.sizes.solve(n.times(both, 12), n.times(n.b, 24)).kind == Kind::number);
}

TEST_CASE("what is rounded down and then added to is not negative") {
  Names n;
  const Size steps = n.sizes.quotient(n.plus(n.h, -1), Size::of(2));
  CHECK(!n.sizes.not_negative(steps));
  CHECK(n.sizes.not_negative(n.plus(steps, 1)));
  CHECK(n.sizes.not_negative(n.sizes.maximum(n.plus(n.h, -4), Size::of(0))));
  CHECK(!n.sizes.not_negative(n.sizes.product(steps, steps)));
  CHECK(!n.sizes.not_negative(n.sizes.difference(n.h, n.b)));
}

TEST_CASE("an equation says what an axis must be") {
  Names n;
  const auto half = n.sizes.solve(n.times(n.h, 2), Size::of(16));
  CHECK(half.kind == Kind::number);
  CHECK(half.number == 8);
  CHECK(n.sizes.solve(n.times(n.h, 2), Size::of(15)).kind == Kind::never);
  CHECK(n.sizes.solve(n.plus(n.h, 3), Size::of(2)).kind == Kind::never);
  CHECK(n.sizes.solve(n.b, n.h).kind == Kind::equal);
  CHECK(n.sizes.solve(n.sizes.product(n.b, n.h), Size::of(49)).kind == Kind::few);
  CHECK(n.sizes.solve(n.sizes.sum(n.b, n.h), Size::of(16)).kind == Kind::few);
  CHECK(n.sizes.solve(n.sizes.quotient(n.sizes.difference(n.h, n.b), Size::of(2)), Size::of(4))
            .kind == Kind::open);
  const auto shared = n.sizes.solve(n.sizes.product(n.times(n.b, 16), n.h), n.times(n.b, 80));
  CHECK(shared.kind == Kind::number);
  CHECK(shared.number == 5);
  CHECK(n.sizes.solve(n.sizes.minimum(n.b, n.h), Size::of(4)).kind == Kind::open);
  CHECK(n.sizes.solve(n.sizes.sum(n.b, n.h), n.b).kind != Kind::never);
  CHECK(n.sizes.solve(n.b, n.plus(n.h, 1)).kind == Kind::open);
}

TEST_CASE("what grows beyond bounds is unknown") {
  Names n;
  Size deep = n.h;
  for (int i = 0; i < 40 && deep.known(); ++i)
    deep = n.sizes.maximum(n.sizes.minimum(deep, n.b), n.sizes.product(deep, Size::of(2)));
  CHECK(!deep.known());
  Size large = Size::of(std::int64_t{1} << 62);
  CHECK(!n.sizes.product(large, Size::of(4)).known());
  const Size least = Size::of(std::numeric_limits<std::int64_t>::min());
  CHECK(!n.sizes.quotient(least, Size::of(-1)).known());
  CHECK(n.sizes.solve(n.sizes.product(n.h, Size::of(-1)), least).kind != Kind::number);
  CHECK(!n.sizes.sum(Size{}, n.h).known());
}
