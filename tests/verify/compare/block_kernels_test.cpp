#include "verify/compare/block_kernels.h"

#include <model_validator/verify/metrics.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

using namespace model_validator::verify;

namespace {

const std::size_t counts[] = {1, 3, 8, 9, 15, 31, 33, 1000, 1024};

std::unique_ptr<Block> random_block() {
  std::mt19937_64 random(17);
  std::normal_distribution<double> normal(3, 2);
  auto block = std::make_unique<Block>();
  for (std::size_t i = 0; i < block_elements; ++i) {
    block->a[i] = i % 13 == 0 ? 0 : normal(random);
    block->b[i] = i % 5 == 0 ? block->a[i] : block->a[i] + 1e-3 * normal(random);
    block->d[i] = block->b[i] - block->a[i];
  }
  return block;
}

Bounds two_bounds() { return {{Bound{1e-3, 0, 1e-4}, Bound{0, 1e-3, 0}}, 2}; }

Approx close(double value) { return Approx(value).epsilon(1e-13).margin(1e-25); }

void check_equal(const BlockSums& x, const BlockSums& y) {
  CHECK(x.abs == close(y.abs));
  CHECK(x.squares == close(y.squares));
  CHECK(x.rel == close(y.rel));
  CHECK(x.max_abs == y.max_abs);
  CHECK(x.max_rel == y.max_rel);
  CHECK(x.min_a == y.min_a);
  CHECK(x.max_a == y.max_a);
  CHECK(x.min_b == y.min_b);
  CHECK(x.max_b == y.max_b);
  CHECK(x.unequal == y.unequal);
  CHECK(x.zero_a == y.zero_a);
  CHECK(x.zero_a_mismatch == y.zero_a_mismatch);
  CHECK(x.max_ulp == y.max_ulp);
  CHECK(x.violations == y.violations);
  CHECK(x.moments.mean_a.value() == close(y.moments.mean_a.value()));
  CHECK(x.moments.mean_b.value() == close(y.moments.mean_b.value()));
  CHECK(x.moments.aa == close(y.moments.aa));
  CHECK(x.moments.bb == close(y.moments.bb));
  CHECK(x.moments.ab == close(y.moments.ab));
}

/// A pair as it lies in memory, of the dtype that a kernel is for.
struct Stored {
  std::vector<unsigned char> a, b;
  std::size_t element_size;
  DType dtype;

  RawPair first(std::size_t count) const { return {a.data() + 1, b.data() + 1, count}; }
};

/// Bits of floating-point numbers, at addresses that are not aligned.
template <class Bits, class Make> Stored stored(DType dtype, Make make) {
  Stored pair{{}, {}, sizeof(Bits), dtype};
  pair.a.resize(1 + block_elements * sizeof(Bits));
  pair.b.resize(pair.a.size());
  for (std::size_t i = 0; i < block_elements; ++i) {
    const std::pair<Bits, Bits> bits = make(i);
    std::memcpy(pair.a.data() + 1 + i * sizeof(Bits), &bits.first, sizeof(Bits));
    std::memcpy(pair.b.data() + 1 + i * sizeof(Bits), &bits.second, sizeof(Bits));
  }
  return pair;
}

/// Numbers of every exponent and both signs, zeros and subnormal ones too, with others nearby.
template <class Bits> Stored neighbours(DType dtype, Bits infinity) {
  std::mt19937_64 random(sizeof(Bits));
  std::uniform_int_distribution<std::uint64_t> magnitude(0, infinity - 20);
  return stored<Bits>(dtype, [&](std::size_t i) {
    const Bits sign = static_cast<Bits>((random() & 1) << (8 * sizeof(Bits) - 1));
    const Bits size = i % 7 == 0 ? Bits{0} : static_cast<Bits>(magnitude(random));
    const Bits other = static_cast<Bits>(size + (i % 3 == 0 ? 0 : random() % 16));
    return std::pair<Bits, Bits>{size | sign, other | sign};
  });
}

template <class Bits> Stored with_bits(Stored pair, std::size_t at, Bits bits) {
  std::memcpy(pair.b.data() + 1 + at * sizeof(Bits), &bits, sizeof bits);
  return pair;
}

SumDirectly Kernels::*kernel_of(DType dtype) {
  switch (dtype) {
  case DType::float16: return &Kernels::float16;
  case DType::bfloat16: return &Kernels::bfloat16;
  case DType::float32: return &Kernels::float32;
  default: return &Kernels::float64;
  }
}

/// What measuring tells of the same elements read backwards, which no kernel takes where they lie.
Metrics measured_backwards(const Stored& pair, std::size_t count, const MetricOptions& options) {
  const auto last = static_cast<std::ptrdiff_t>(1 + (count - 1) * pair.element_size);
  const auto view = [&](const std::vector<unsigned char>& side) {
    return TensorView{side.data() + last, pair.dtype, {static_cast<std::int64_t>(count)}, {-1}};
  };
  return measure(view(pair.a), view(pair.b), options);
}

void check_against_widened(const Stored& pair, std::size_t count, const BlockSums& sums) {
  MetricOptions options;
  options.closeness = {{1e-4, 1e-3, Denominator::candidate}, {1e-3, 0, Denominator::reference}};
  const Metrics m = measured_backwards(pair, count, options);
  const auto n = static_cast<double>(count);
  CHECK(m.finite == static_cast<std::int64_t>(count));
  CHECK(m.max_abs == sums.max_abs);
  CHECK(m.mean_abs == close(sums.abs / n));
  CHECK(m.max_rel == sums.max_rel);
  CHECK(m.unequal == sums.unequal);
  CHECK(m.max_ulp == sums.max_ulp);
  CHECK(m.zero_reference_mismatches == sums.zero_a_mismatch);
  CHECK(m.reference_max == std::max(std::fabs(sums.min_a), std::fabs(sums.max_a)));
  CHECK(m.candidate_max == std::max(std::fabs(sums.min_b), std::fabs(sums.max_b)));
  CHECK(m.reference_mean == close(sums.moments.mean_a.value()));
  CHECK(m.violations[0] == sums.violations[0]);
  CHECK(m.violations[1] == sums.violations[1]);
}

} // namespace

TEST_CASE("kernels of every width agree, also on the rest after full lanes") {
  const auto block = random_block();
  const Kernels narrow = available_kernels().back();
  for (const Kernels& kernels : available_kernels())
    for (std::size_t count : counts) {
      CAPTURE(count);
      check_equal(kernels.block(*block, count, two_bounds()),
                  narrow.block(*block, count, two_bounds()));
    }
}

TEST_CASE("sums count zeros, equals and violations") {
  auto block = std::make_unique<Block>();
  const double a[] = {0, 0, 1, -2}, b[] = {0, 0.5, 1, -2.5};
  for (int i = 0; i < 4; ++i) {
    block->a[i] = a[i];
    block->b[i] = b[i];
    block->d[i] = b[i] - a[i];
  }
  const BlockSums sums = sum_block(*block, 4, {{Bound{0.4, 0, 0}, Bound{0.1, 0.2, 0}}, 2});
  CHECK(sums.unequal == 2);
  CHECK(sums.zero_a == 2);
  CHECK(sums.zero_a_mismatch == 1);
  CHECK(sums.violations[0] == 2);
  CHECK(sums.violations[1] == 1);
  CHECK(sums.rel == 0.25);
  CHECK(sums.min_a == -2);
  CHECK(sums.max_b == 1);
}

TEST_CASE("elements summed in place give the same as widened ones") {
  const Stored pairs[] = {
      neighbours<std::uint16_t>(DType::float16, 0x7c00),
      // Squares of larger numbers leave the range of float64, and are summed up scaled.
      neighbours<std::uint16_t>(DType::bfloat16, 0x7f80),
      neighbours<std::uint32_t>(DType::float32, 0x7f800000),
      neighbours<std::uint64_t>(DType::float64, 0x4340000000000000),
  };
  for (const Stored& pair : pairs)
    for (const Kernels& kernels : available_kernels())
      for (std::size_t count : counts) {
        CAPTURE(to_string(pair.dtype), count);
        const std::optional<BlockSums> sums =
            (kernels.*kernel_of(pair.dtype))(pair.first(count), two_bounds());
        REQUIRE(sums.has_value());
        check_against_widened(pair, count, *sums);
      }
}

TEST_CASE("a block with a non-finite element is not summed in place") {
  const Stored half = neighbours<std::uint16_t>(DType::float16, 0x7c00);
  const Stored brain = neighbours<std::uint16_t>(DType::bfloat16, 0x7f80);
  const Stored single = neighbours<std::uint32_t>(DType::float32, 0x7f800000);
  const Stored wide = neighbours<std::uint64_t>(DType::float64, 0x7ff0000000000000);
  for (const Kernels& kernels : available_kernels())
    for (std::size_t at : {0, 17, 64, 1022, 1023}) {
      CAPTURE(at);
      const auto refused = [&](const Stored& pair) {
        return !(kernels.*kernel_of(pair.dtype))(pair.first(block_elements), {}).has_value();
      };
      for (std::uint16_t bits : {0x7c00, 0xfc00, 0x7e00, 0xfe01})
        CHECK(refused(with_bits<std::uint16_t>(half, at, bits)));
      for (std::uint16_t bits : {0x7f80, 0xff80, 0x7fc0, 0xffff})
        CHECK(refused(with_bits<std::uint16_t>(brain, at, bits)));
      for (std::uint32_t bits : {0x7f800000U, 0xff800000U, 0x7fc00000U, 0xffc00001U})
        CHECK(refused(with_bits<std::uint32_t>(single, at, bits)));
      for (double value :
           {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN()})
        CHECK(refused(with_bits<std::uint64_t>(wide, at, std::bit_cast<std::uint64_t>(value))));
    }
}
