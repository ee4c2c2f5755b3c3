#include "verify/localize/sketch.h"

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

#include <limits>

using namespace model_validator::verify;

namespace {

constexpr double no_number_is_larger = std::numeric_limits<double>::infinity();

at::Tensor waves(std::int64_t count, at::ScalarType type = at::kFloat) {
  return (at::arange(count, at::kDouble) * 0.7).sin().mul(3).to(type);
}

} // namespace

TEST_CASE("a sketch has the figures of all values") {
  for (const auto type : {at::kFloat, at::kHalf, at::kBFloat16, at::kDouble, at::kInt})
    for (const std::int64_t count : {1, 3, 1023, 1024, 1025, 5000}) {
      CAPTURE(type, count);
      const auto values = waves(count, type);
      const auto exact = values.to(at::kDouble);
      const Sketch sketch = sketch_of(values);
      CHECK(sketch.largest == exact.abs().max().item<double>());
      CHECK(sketch.mean == Catch::Detail::Approx(exact.mean().item<double>()).margin(1e-12));
      CHECK(sketch.norm ==
            Catch::Detail::Approx(exact.square().mean().sqrt().item<double>()).margin(1e-12));
      CHECK(distance(sketch, sketch_of(values.clone())) == 0);
    }
}

TEST_CASE("a sketch leaves out and counts what is not finite") {
  for (const auto type : {at::kFloat, at::kHalf, at::kDouble}) {
    auto values = waves(3000, type);
    values[5] = no_number_is_larger;
    values[1500] = -no_number_is_larger;
    values[2999] = values[2998] = std::numeric_limits<double>::quiet_NaN();
    const Sketch sketch = sketch_of(values);
    CHECK(sketch.non_finite.nan == 2);
    CHECK(sketch.non_finite.positive_infinity == 1);
    CHECK(sketch.non_finite.negative_infinity == 1);
    const auto finite = values.index({values.isfinite()}).to(at::kDouble);
    CHECK(sketch.largest == finite.abs().max().item<double>());
    CHECK(sketch.mean == Catch::Detail::Approx(finite.mean().item<double>()).margin(1e-12));
  }
  CHECK(sketch_of(at::full({7}, no_number_is_larger)).mean == 0);
}

TEST_CASE("values that change places or signs anywhere show in a sketch") {
  const auto values = waves(50'000);
  const Sketch sketch = sketch_of(values);
  for (const std::int64_t place : {1, 1024, 30'001, 49'997}) {
    CAPTURE(place);
    auto other = values.clone();
    other[place] = -values[place];
    CHECK(distance(sketch, sketch_of(other)) > 1e-3);
    other = values.clone();
    other[place] = values[place + 1];
    other[place + 1] = values[place];
    CHECK(distance(sketch, sketch_of(other)) > 1e-3);
  }
}
