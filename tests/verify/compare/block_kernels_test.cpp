#include "verify/compare/block_kernels.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <memory>
#include <random>

using namespace model_validator::verify;

namespace {

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

Approx close(double value) { return Approx(value).epsilon(1e-13); }

} // namespace

TEST_CASE("kernels of every width agree, also on what is left beside full lanes") {
  const auto block = random_block();
  const Bounds bounds{Bound{1e-3, 0, 1e-4}, Bound{0, 1e-3, 0}};
  const Kernels narrow = available_kernels().back();
  for (const Kernels& kernels : available_kernels()) {
    for (std::size_t count : {1, 3, 8, 9, 15, 1000, 1024}) {
      CAPTURE(count);
      const BlockSums x = kernels.sum(*block, count, bounds);
      const BlockSums y = narrow.sum(*block, count, bounds);
      CHECK(x.a == close(y.a));
      CHECK(x.b == close(y.b));
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
      CHECK(x.violations == y.violations);
      const Moments m = kernels.centre(*block, count, x.a, x.b);
      const Moments n = narrow.centre(*block, count, y.a, y.b);
      CHECK(m.aa == close(n.aa).margin(1e-25));
      CHECK(m.bb == close(n.bb).margin(1e-25));
      CHECK(m.ab == close(n.ab).margin(1e-25));
    }
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
  const BlockSums sums = sum_block(*block, 4, Bounds{Bound{0.4, 0, 0}, Bound{0.1, 0.2, 0}});
  CHECK(sums.unequal == 2);
  CHECK(sums.zero_a == 2);
  CHECK(sums.zero_a_mismatch == 1);
  CHECK(sums.violations[0] == 2);
  CHECK(sums.violations[1] == 1);
  CHECK(sums.rel == 0.25);
  CHECK(sums.min_a == -2);
  CHECK(sums.max_b == 1);
}
