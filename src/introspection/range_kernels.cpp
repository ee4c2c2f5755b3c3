#include "introspection/range_kernels.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/widened.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

// One copy of the function for each width of vector unit, chosen when the program is loaded. An
// attribute cannot be anything but a macro.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define MODEL_VALIDATOR_WIDTHS                                                                     \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MODEL_VALIDATOR_WIDTHS
#endif

namespace model_validator {
namespace {

constexpr std::size_t lane_count = 16;
using Floats = float __attribute__((vector_size(lane_count * sizeof(float))));
using Words = std::int32_t __attribute__((vector_size(lane_count * sizeof(float))));

/// Added and subtracted again, it rounds a float32 of up to 2^22 to a whole number.
constexpr float rounder = 12582912.0F;

inline __attribute__((always_inline)) Floats load(const float* from) {
  Floats lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

inline __attribute__((always_inline)) Floats magnitude(Floats lanes) {
  return reinterpret_cast<Floats>(reinterpret_cast<Words>(lanes) & 0x7fffffff);
}

inline __attribute__((always_inline)) float magnitude(float number) {
  return number < 0 ? -number : number;
}

inline __attribute__((always_inline)) double sum(Floats lanes) {
  double total = 0;
  for (std::size_t i = 0; i < lane_count; ++i) total += lanes[i];
  return total;
}

/// Of a scale that has no inverse, which stands for numbers that are as good as zero: 0.
inline __attribute__((always_inline)) float inverse(float scale) {
  return scale > std::numeric_limits<float>::min() ? 1 / scale : 0.0F;
}

template <class T>
inline __attribute__((always_inline)) T rounding_error(T number, T scale, T by_scale) {
  return number - ((number * by_scale + rounder) - rounder) * scale;
}

MODEL_VALIDATOR_WIDTHS void widen_half(const char* bytes, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes + i * sizeof bits, sizeof bits);
    to[i] = widen_float16(bits);
  }
}

MODEL_VALIDATOR_WIDTHS void widen_brain(const char* bytes, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes + i * sizeof bits, sizeof bits);
    to[i] = widen_bfloat16(bits);
  }
}

MODEL_VALIDATOR_WIDTHS void narrow_double(const char* bytes, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) {
    double number = 0;
    std::memcpy(&number, bytes + i * sizeof number, sizeof number);
    to[i] = static_cast<float>(number);
  }
}

void copy_single(const char* bytes, std::size_t count, float* to) {
  std::memcpy(to, bytes, count * sizeof(float));
}

struct Widening {
  std::string_view dtype;
  void (*run)(const char* bytes, std::size_t count, float* to);
};

constexpr auto widenings = std::to_array<Widening>({{"float32", copy_single},
                                                    {"float16", widen_half},
                                                    {"bfloat16", widen_brain},
                                                    {"float64", narrow_double}});

const Widening* widening_of(std::string_view dtype) {
  return row_with(widenings, &Widening::dtype, dtype);
}

MODEL_VALIDATOR_WIDTHS double raise_one(const float* numbers, std::size_t count, float& largest) {
  Floats greatest{}, squares{};
  std::size_t i = 0;
  for (; i + lane_count <= count; i += lane_count) {
    const Floats lanes = load(numbers + i);
    const Floats sizes = magnitude(lanes);
    greatest = sizes > greatest ? sizes : greatest;
    squares += lanes * lanes;
  }
  double total = sum(squares);
  for (; i < count; ++i) {
    largest = std::max(largest, magnitude(numbers[i]));
    total += static_cast<double>(numbers[i]) * numbers[i];
  }
  for (std::size_t lane = 0; lane < lane_count; ++lane) largest = std::max(largest, greatest[lane]);
  return total;
}

MODEL_VALIDATOR_WIDTHS double raise_each(const float* numbers, std::size_t count, float* largest) {
  Floats squares{};
  std::size_t i = 0;
  for (; i + lane_count <= count; i += lane_count) {
    const Floats lanes = load(numbers + i);
    const Floats sizes = magnitude(lanes);
    const Floats before = load(largest + i);
    const Floats now = sizes > before ? sizes : before;
    std::memcpy(largest + i, &now, sizeof now);
    squares += lanes * lanes;
  }
  double total = sum(squares);
  for (; i < count; ++i) {
    largest[i] = std::max(largest[i], magnitude(numbers[i]));
    total += static_cast<double>(numbers[i]) * numbers[i];
  }
  return total;
}

MODEL_VALIDATOR_WIDTHS double error_of_one(const float* numbers, std::size_t count, float scale) {
  const float by_scale = inverse(scale);
  const Floats scales = Floats{} + scale;
  const Floats inverses = Floats{} + by_scale;
  Floats squares{};
  std::size_t i = 0;
  for (; i + lane_count <= count; i += lane_count) {
    const Floats error = rounding_error(load(numbers + i), scales, inverses);
    squares += error * error;
  }
  double total = sum(squares);
  for (; i < count; ++i) {
    const double error = rounding_error(numbers[i], scale, by_scale);
    total += error * error;
  }
  return total;
}

MODEL_VALIDATOR_WIDTHS double error_of_each(const float* numbers, std::size_t count,
                                            const float* scales) {
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double error = rounding_error(numbers[i], scales[i], inverse(scales[i]));
    total += error * error;
  }
  return total;
}

} // namespace

bool may_be_widened(std::string_view dtype) { return widening_of(dtype) != nullptr; }

void widen(std::span<const char> bytes, std::string_view dtype, std::span<float> to) {
  if (const Widening* found = widening_of(dtype)) found->run(bytes.data(), to.size(), to.data());
}

double raise(std::span<const float> numbers, float& largest) {
  return raise_one(numbers.data(), numbers.size(), largest);
}

double raise(std::span<const float> numbers, std::span<float> largest) {
  return raise_each(numbers.data(), numbers.size(), largest.data());
}

double squared_error(std::span<const float> numbers, float scale) {
  return error_of_one(numbers.data(), numbers.size(), scale);
}

double squared_error(std::span<const float> numbers, std::span<const float> scales) {
  return error_of_each(numbers.data(), numbers.size(), scales.data());
}

} // namespace model_validator
