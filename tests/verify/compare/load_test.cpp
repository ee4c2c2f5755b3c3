#include "verify/compare/load.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

using namespace model_validator::verify;

namespace {

template <class T> std::vector<double> loaded(DType dtype, const std::vector<T>& values) {
  std::vector<double> result(values.size());
  loader_of(dtype)(values.data(), 1, result.data(), values.size());
  return result;
}

} // namespace

TEST_CASE("every dtype is read as its value") {
  CHECK(loaded<std::uint8_t>(DType::bool_, {0, 1, 7}) == std::vector<double>{0, 1, 1});
  CHECK(loaded<std::uint8_t>(DType::uint8, {200}) == std::vector<double>{200});
  CHECK(loaded<std::int8_t>(DType::int8, {-100}) == std::vector<double>{-100});
  CHECK(loaded<std::uint16_t>(DType::uint16, {65535}) == std::vector<double>{65535});
  CHECK(loaded<std::int16_t>(DType::int16, {-32768}) == std::vector<double>{-32768});
  CHECK(loaded<std::uint32_t>(DType::uint32, {4294967295U}) == std::vector<double>{4294967295.0});
  CHECK(loaded<std::int32_t>(DType::int32, {-5}) == std::vector<double>{-5});
  CHECK(loaded<std::uint64_t>(DType::uint64, {1ULL << 63}) == std::vector<double>{0x1p63});
  CHECK(loaded<std::int64_t>(DType::int64, {-(1LL << 62)}) == std::vector<double>{-0x1p62});
  CHECK(loaded<std::uint16_t>(DType::float16, {0x3c00}) == std::vector<double>{1});
  CHECK(loaded<std::uint16_t>(DType::bfloat16, {0x4000}) == std::vector<double>{2});
  CHECK(loaded<std::uint8_t>(DType::float8_e5m2, {0x3c}) == std::vector<double>{1});
  CHECK(loaded<float>(DType::float32, {0.5F}) == std::vector<double>{0.5});
  CHECK(loaded<double>(DType::float64, {1e-310}) == std::vector<double>{1e-310});
}

TEST_CASE("elements are read at any stride") {
  const std::vector<float> values{1, 2, 3, 4, 5};
  std::vector<double> out(3);
  loader_of(DType::float32)(values.data() + 4, -2, out.data(), 3);
  CHECK(out == std::vector<double>{5, 3, 1});
  loader_of(DType::float32)(values.data() + 1, 0, out.data(), 3);
  CHECK(out == std::vector<double>{2, 2, 2});
}

TEST_CASE("only a finite block is called so") {
  const auto block = std::make_unique<Block>();
  for (int i = 0; i < 20; ++i) block->a[i] = block->b[i] = i;
  CHECK(subtract(*block, 20));
  for (double special :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    block->a[13] = block->b[13] = special;
    CHECK_FALSE(subtract(*block, 20));
  }
}

TEST_CASE("unsigned and signed 64-bit integers are subtracted without wrapping") {
  const std::uint64_t a = std::numeric_limits<std::uint64_t>::max();
  const std::int64_t b = -1;
  double difference = 0;
  exact_subtraction(DType::uint64, DType::int64)(&a, 1, &b, 1, &difference, 1);
  CHECK(difference == -0x1p64);
  CHECK(exact_subtraction(DType::int64, DType::float32) == nullptr);
}
