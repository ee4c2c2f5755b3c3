#include "naive_metrics.h"

#include <model_validator/verify/metrics.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

using namespace model_validator::verify;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TensorView view(const std::vector<double>& values) {
  return contiguous_view(values.data(), DType::float64, {static_cast<std::int64_t>(values.size())});
}
TensorView view(const std::vector<float>& values) {
  return contiguous_view(values.data(), DType::float32, {static_cast<std::int64_t>(values.size())});
}
Approx close(double value) { return Approx(value).epsilon(1e-11).margin(1e-300); }

MetricOptions options_of(const Closeness& rule, unsigned threads) {
  MetricOptions options;
  options.closeness = {rule};
  options.threads = threads;
  return options;
}

/// Numbers of all sizes, with zeros, NaN and infinities among them.
std::vector<double> wild_values(std::mt19937_64& random, std::size_t count, bool specials) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> choice(0, 40);
  std::vector<double> values(count);
  for (double& value : values) {
    value = normal(random);
    switch (specials ? choice(random) : 40) {
    case 0: value = not_a_number; break;
    case 1: value = infinity; break;
    case 2: value = -infinity; break;
    case 3: value = 0; break;
    case 4: value = -0.0; break;
    case 5: value *= 1e-40; break;
    case 6: value *= 1e30; break;
    default: break;
    }
  }
  return values;
}

std::vector<double> disturbed(std::mt19937_64& random, std::vector<double> values, bool specials) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> choice(0, 60);
  for (double& value : values) {
    value *= 1 + 1e-5 * normal(random);
    if (specials && choice(random) == 0) value = not_a_number;
    if (specials && choice(random) == 0) value = -infinity;
  }
  return values;
}

void check_against_naive(const std::vector<double>& a, const std::vector<double>& b,
                         const TensorView& va, const TensorView& vb, unsigned threads) {
  const Closeness rule{1e-5, 1e-8,
                       threads % 2 == 0 ? Denominator::reference : Denominator::candidate};
  const naive::Metrics expected = naive::measure(a, b, rule);
  const Metrics m = measure(va, vb, options_of(rule, threads));
  CHECK(m.elements == static_cast<std::int64_t>(a.size()));
  CHECK(m.finite == expected.finite);
  CHECK(m.unequal == expected.unequal);
  CHECK(m.non_finite_mismatches == expected.mismatches);
  CHECK(m.violations.at(0) == expected.violations);
  CHECK(m.max_abs == expected.max_abs);
  CHECK(m.mean_abs == close(expected.mean_abs));
  CHECK(m.rmse == close(expected.rmse));
  CHECK(m.max_rel == close(expected.max_rel));
  CHECK(m.mean_rel == close(expected.mean_rel));
  REQUIRE(m.pcc.has_value() == expected.pcc.has_value());
  if (m.pcc) CHECK(*m.pcc == Approx(*expected.pcc).epsilon(1e-12).margin(1e-13));
}

} // namespace

TEST_CASE("metrics equal the naive ones for any length and content") {
  std::mt19937_64 random(7);
  for (std::size_t count : {0, 1, 2, 7, 8, 9, 1023, 1024, 1025, 4099, 40000}) {
    for (bool specials : {false, true}) {
      const auto a = wild_values(random, count, specials);
      const auto b = disturbed(random, a, specials);
      CAPTURE(count, specials);
      check_against_naive(a, b, view(a), view(b), 1);
    }
  }
}

TEST_CASE("metrics do not depend on the number of threads") {
  std::mt19937_64 random(11);
  const auto a = wild_values(random, 1'000'003, true);
  const auto b = disturbed(random, a, true);
  check_against_naive(a, b, view(a), view(b), 2);
  MetricOptions one, many;
  one.threads = 1;
  many.threads = 7;
  const Metrics x = measure(view(a), view(b), one), y = measure(view(a), view(b), many);
  CHECK(x.mean_abs == y.mean_abs);
  CHECK(x.rmse == y.rmse);
  CHECK(x.pcc == y.pcc);
  CHECK(x.rmse_without_worst == y.rmse_without_worst);
  REQUIRE(x.worst.size() == y.worst.size());
  for (std::size_t i = 0; i < x.worst.size(); ++i) CHECK(x.worst[i].index == y.worst[i].index);
  REQUIRE(x.non_finite_samples.size() == 8);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(x.non_finite_samples[i].index == y.non_finite_samples[i].index);
}

TEST_CASE("metrics of random shapes and strides equal those of a copy") {
  std::mt19937_64 random(23);
  std::uniform_int_distribution<int> rank_of(0, 4), size_of(1, 9), step_of(-3, 3);
  const auto memory = wild_values(random, 60000, true);
  const auto other = disturbed(random, memory, true);
  for (int round = 0; round < 200; ++round) {
    TensorView va{memory.data() + 30000, DType::float64, {}, {}};
    TensorView vb{other.data() + 30000, DType::float64, {}, {}};
    for (int axis = rank_of(random); axis > 0; --axis) {
      va.shape.push_back(size_of(random));
      const std::int64_t spread = std::int64_t{1} << (2 * axis);
      va.strides.push_back(step_of(random) * spread);
      vb.strides.push_back(step_of(random) * spread);
    }
    vb.shape = va.shape;
    std::vector<double> a, b;
    for (std::int64_t i = 0; i < element_count(va); ++i) {
      std::int64_t at_a = 0, at_b = 0, rest = i;
      for (std::size_t axis = va.shape.size(); axis-- > 0; rest /= va.shape[axis]) {
        at_a += rest % va.shape[axis] * va.strides[axis];
        at_b += rest % va.shape[axis] * vb.strides[axis];
      }
      a.push_back(memory[static_cast<std::size_t>(30000 + at_a)]);
      b.push_back(other[static_cast<std::size_t>(30000 + at_b)]);
    }
    CAPTURE(to_string(va.shape), to_string(va.strides), to_string(vb.strides));
    check_against_naive(a, b, va, vb, 1);
  }
}

TEST_CASE("the correlation keeps its accuracy at large offsets") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (double offset : {0.0, 1e3, 1e6, 1e9, 1e12}) {
    std::vector<double> a(200'000), b(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = offset + normal(random);
      b[i] = a[i] + 0.01 * normal(random) - 2 * offset;
    }
    CAPTURE(offset);
    CHECK(measure(view(a), view(b)).pcc.value() == Approx(*naive::pcc(a, b)).epsilon(1e-12));
  }
}

TEST_CASE(
    "the correlation of float32 numbers keeps its accuracy, also where their sum leaves float32") {
  std::mt19937_64 random(31);
  std::normal_distribution<double> normal;
  for (double offset : {0.0, 1e3, 1e6, 1e8, 1e30, 3e38}) {
    std::vector<float> a(50'000), b(a.size());
    const double step = std::max(1.0, offset * 1e-6);
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<float>(offset + step * normal(random));
      b[i] = static_cast<float>(a[i] + 0.01 * step * normal(random));
    }
    CAPTURE(offset);
    const std::vector<double> x(a.begin(), a.end()), y(b.begin(), b.end());
    const Metrics m = measure(view(a), view(b));
    CHECK(m.pcc.value() == Approx(*naive::pcc(x, y)).epsilon(1e-12));
    // Numbers about zero cancel: their mean is as exact as what is summed, whatever the order.
    const double mean = measure(view(x), view(y)).reference_mean;
    CHECK(m.reference_mean == Approx(mean).epsilon(1e-15).margin(1e-15 * step));
    CHECK(m.mean_rel == close(measure(view(x), view(y)).mean_rel));
  }
}

TEST_CASE("the correlation keeps its accuracy when the mean drifts") {
  std::vector<double> a(300'000), b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = 1e8 + static_cast<double>(i) + std::sin(static_cast<double>(i));
    b[i] = a[i] + std::cos(7.0 * static_cast<double>(i));
  }
  CHECK(1 - measure(view(a), view(b)).pcc.value() ==
        Approx(1 - *naive::pcc(a, b)).epsilon(1e-4).margin(1e-15));
}

TEST_CASE("squares beyond the range of float64 do not spoil the figures") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> a(3000), b(3000);
  for (double scale : {1e-320, 1e-300, 1e-160, 1e160, 1e300}) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = std::ldexp(std::round(normal(random) * 1024), -10) * scale;
      b[i] = a[i] * 3;
    }
    CAPTURE(scale);
    const Metrics m = measure(view(a), view(b));
    CHECK(m.pcc.value() == Approx(1).epsilon(1e-3));
    CHECK(m.fit.value().scale == Approx(3).epsilon(1e-3));
    CHECK(m.concordance.value() == Approx(0.6).epsilon(1e-2));
    CHECK(m.rmse / m.max_abs < 1);
    CHECK(m.rmse / m.max_abs > 0.1);
  }
}

TEST_CASE("finite numbers whose difference is out of range stay finite elements") {
  const std::vector<double> a{1e308, 1, 2}, b{-1e308, 1, 2};
  const Metrics m = measure(view(a), view(b));
  CHECK(m.finite == 3);
  CHECK(m.unequal == 1);
  CHECK(m.max_abs == std::numeric_limits<double>::max());
  CHECK(m.rmse == Approx(2e308L / std::sqrt(3.0L)));
}

TEST_CASE("NaN and infinities are counted separately, with their signs") {
  const std::vector<double> a{not_a_number, infinity, -infinity, infinity, 1, not_a_number, 2};
  const std::vector<double> b{not_a_number, infinity, -infinity, -infinity, not_a_number, 3, 2.5};
  const Metrics m = measure(view(a), view(b), options_of({}, 1));
  CHECK(m.finite == 1);
  CHECK(m.reference_non_finite.nan == 2);
  CHECK(m.candidate_non_finite.nan == 2);
  CHECK(m.reference_non_finite.positive_infinity == 2);
  CHECK(m.candidate_non_finite.negative_infinity == 2);
  CHECK(m.non_finite_mismatches == 3);
  CHECK(m.nan_on_both == 1);
  CHECK(m.max_abs == 0.5);
  CHECK(m.violations.at(0) == 4);
  REQUIRE(m.non_finite_samples.size() == 3);
  CHECK(m.non_finite_samples[0].index == std::vector<std::int64_t>{3});
  CHECK(m.worst.at(0).index == std::vector<std::int64_t>{6});
}

TEST_CASE("worst elements come with coordinates and both values, ties in order") {
  std::vector<float> a(24, 1.0F), b(24, 1.0F);
  b[23] = 1.5F;
  b[7] = 3;
  b[4] = 0.5F;
  const Shape shape{2, 3, 4};
  MetricOptions options;
  options.worst = 2;
  const Metrics m = measure(contiguous_view(a.data(), DType::float32, shape),
                            contiguous_view(b.data(), DType::float32, shape), options);
  REQUIRE(m.worst.size() == 2);
  CHECK(m.worst[0].index == std::vector<std::int64_t>{0, 1, 3});
  CHECK(m.worst[0].candidate == 3);
  CHECK(m.worst[0].difference == 2);
  CHECK(m.worst[1].index == std::vector<std::int64_t>{0, 1, 0});
}

TEST_CASE("coordinates are the tensor's own when it lies transposed in memory") {
  std::vector<float> a(6, 0.0F), b(6, 0.0F);
  b[4] = 1; // row 0, column 2 of a 2 × 3 tensor stored by columns
  const TensorView va{a.data(), DType::float32, {2, 3}, {1, 2}};
  const TensorView vb{b.data(), DType::float32, {2, 3}, {1, 2}};
  CHECK(measure(va, vb).worst.at(0).index == std::vector<std::int64_t>{0, 2});
}

TEST_CASE("64-bit integers are compared exactly") {
  const std::vector<std::int64_t> a{9007199254740993, std::numeric_limits<std::int64_t>::max(), 5};
  const std::vector<std::int64_t> b{9007199254740992, std::numeric_limits<std::int64_t>::min(), 5};
  const Metrics m = measure(contiguous_view(a.data(), DType::int64, {3}),
                            contiguous_view(b.data(), DType::int64, {3}));
  CHECK(m.unequal == 2);
  CHECK(m.worst.at(0).difference == -0x1p64);
  CHECK(m.worst.at(1).difference == -1);
  CHECK_FALSE(m.max_ulp.has_value());
}

TEST_CASE("a complex element is two real numbers with a coordinate of their own") {
  const std::vector<float> a{1, 2, 3, 4}, b{1, 2, 3, 4.5F};
  const Metrics m = measure(contiguous_view(a.data(), DType::complex64, {2}),
                            contiguous_view(b.data(), DType::complex64, {2}));
  CHECK(m.elements == 4);
  CHECK(m.worst.at(0).index == std::vector<std::int64_t>{1, 1});
}

TEST_CASE("a scalar and an empty tensor are measured as well") {
  const float a = 2, b = 2.5F;
  const Metrics scalar =
      measure(contiguous_view(&a, DType::float32, {}), contiguous_view(&b, DType::float32, {}));
  CHECK(scalar.elements == 1);
  CHECK(scalar.max_abs == 0.5);
  CHECK(scalar.worst.at(0).index.empty());
  CHECK_FALSE(scalar.pcc.has_value());
  const Metrics empty = measure(contiguous_view(nullptr, DType::float32, {3, 0}),
                                contiguous_view(nullptr, DType::float32, {3, 0}));
  CHECK(empty.elements == 0);
  CHECK(empty.unequal == 0);
}

TEST_CASE("tensors of unequal shape are refused, not broadcast") {
  const std::vector<float> a(4);
  CHECK_THROWS_AS(measure(contiguous_view(a.data(), DType::float32, {4}),
                          contiguous_view(a.data(), DType::float32, {1, 4})),
                  std::invalid_argument);
  CHECK_THROWS_AS(measure(contiguous_view(a.data(), DType::float32, {2}),
                          contiguous_view(a.data(), DType::complex64, {2})),
                  std::invalid_argument);
}

TEST_CASE("a constant has no correlation, however its mean is rounded") {
  const std::vector<float> a(1001, 0.1F);
  std::vector<float> b(1001, 0.3F);
  CHECK_FALSE(measure(view(a), view(b)).pcc.has_value());
  b[5] = 0.4F;
  CHECK_FALSE(measure(view(a), view(b)).pcc.has_value());
}

TEST_CASE("what remains without the extremes shows what they carried") {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  std::vector<double> a(10000), b(10000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = normal(random);
    b[i] = normal(random);
  }
  a[77] = b[77] = 1e6;
  const Metrics m = measure(view(a), view(b));
  CHECK(*m.pcc > 0.999999);
  CHECK(std::fabs(*m.pcc_without_extremes) < 0.1);
  CHECK(m.extremes == 8);
}

TEST_CASE("one wrong element is left out exactly, however large it is") {
  std::vector<double> a(5000), b(5000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<double>(i);
    b[i] = a[i] + 1e-3;
  }
  b[2500] = 1e12;
  CHECK(measure(view(a), view(b)).rmse_without_worst == Approx(1e-3).epsilon(1e-6));
}

TEST_CASE("the histogram counts errors by their power of two") {
  const std::vector<double> a{0, 0, 0, 0, 0, not_a_number},
      b{0, 1, 1.5, -0.25, 1e-300, not_a_number};
  MetricOptions options;
  options.histogram = true;
  const Histogram histogram = measure(view(a), view(b), options).histogram.value();
  CHECK(histogram.exact == 1);
  CHECK(histogram.counts[Histogram::offset] == 2);
  CHECK(histogram.counts[Histogram::offset - 2] == 1);
  CHECK(histogram.counts[0] == 1);
  CHECK(std::accumulate(histogram.counts.begin(), histogram.counts.end(), std::int64_t{0}) == 4);
}

TEST_CASE("elements need not be aligned") {
  std::vector<unsigned char> bytes(1 + 3 * sizeof(float));
  const float values[] = {1, 2, 3};
  std::memcpy(bytes.data() + 1, values, sizeof values);
  const Metrics m = measure(contiguous_view(bytes.data() + 1, DType::float32, {3}),
                            contiguous_view(values, DType::float32, {3}));
  CHECK(m.unequal == 0);
  CHECK(m.reference_max == 3);
}
