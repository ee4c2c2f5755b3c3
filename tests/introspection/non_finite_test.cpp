#include "introspection/non_finite.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace model_validator;

namespace {

template <class T> NonFiniteCount count(const std::vector<T>& elements, std::string_view dtype) {
  const auto* bytes = reinterpret_cast<const char*>(elements.data());
  return count_non_finite({bytes, elements.size() * sizeof(T)}, dtype);
}

std::string text(const NonFiniteCount& counts) {
  return std::to_string(counts.nan) + " NaN, " + std::to_string(counts.infinite) + " infinite of " +
         std::to_string(counts.numbers);
}

template <class T> std::vector<T> with_specials(std::size_t size) {
  std::vector<T> values(size, T{1});
  values[0] = std::numeric_limits<T>::quiet_NaN();
  values[1] = -std::numeric_limits<T>::quiet_NaN();
  values[2] = std::numeric_limits<T>::signaling_NaN();
  values[3] = std::numeric_limits<T>::infinity();
  values[size - 1] = -std::numeric_limits<T>::infinity();
  values[4] = std::numeric_limits<T>::max();
  values[5] = std::numeric_limits<T>::denorm_min();
  return values;
}

} // namespace

TEST_CASE("NaN and infinities of float32 and float64 are recognised") {
  CHECK(text(count(with_specials<float>(10000), "float32")) == "3 NaN, 2 infinite of 10000");
  CHECK(text(count(with_specials<double>(4097), "float64")) == "3 NaN, 2 infinite of 4097");
}

TEST_CASE("both parts of a complex number count") {
  CHECK(text(count(with_specials<float>(20), "complex64")) == "3 NaN, 2 infinite of 20");
  CHECK(text(count(with_specials<double>(20), "complex128")) == "3 NaN, 2 infinite of 20");
}

TEST_CASE("a tensor of nothing but NaN is counted in full") {
  const std::vector<float> all(100'000, std::nanf(""));
  CHECK(count(all, "float32").nan == all.size());
  const std::vector<std::uint16_t> half(100'000, 0x7e00);
  CHECK(count(half, "float16").nan == half.size());
}

TEST_CASE("every pattern of 16 bits is what its format says") {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  CHECK(text(count(all, "float16")) == "2046 NaN, 2 infinite of 65536");
  CHECK(text(count(all, "bfloat16")) == "254 NaN, 2 infinite of 65536");
}

TEST_CASE("every pattern of 8 bits is what its format says") {
  std::vector<std::uint8_t> all(256);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(i);
  CHECK(text(count(all, "float8_e5m2")) == "6 NaN, 2 infinite of 256");
  CHECK(text(count(all, "float8_e4m3fn")) == "2 NaN, 0 infinite of 256");
  CHECK(text(count(all, "float8_e5m2fnuz")) == "1 NaN, 0 infinite of 256");
  CHECK(text(count(all, "float8_e8m0fnu")) == "1 NaN, 0 infinite of 256");
}

TEST_CASE("integers have nothing that is not finite") {
  CHECK_FALSE(may_be_non_finite("int64"));
  CHECK(count(std::vector<std::int64_t>{-1}, "int64").numbers == 0);
}
