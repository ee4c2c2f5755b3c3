#include "verify/inputs/dtype_range.h"

#include <model_validator/error.h>
#include <model_validator/verify/inputs.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <c10/util/BFloat16.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e4m3fnuz.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/Float8_e5m2fnuz.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace model_validator::verify {
namespace {

// Boost's generators, unlike the standard library's, give the same numbers on every platform.
using Generator = boost::random::mt19937_64;

class RealSource {
public:
  RealSource(std::uint64_t seed, const std::optional<ValueRange>& range)
      : generator_(seed), range_(range) {}
  double operator()() {
    return range_ ? range_->low + (range_->high - range_->low) * uniform_(generator_)
                  : normal_(generator_);
  }

private:
  Generator generator_;
  std::optional<ValueRange> range_;
  boost::random::normal_distribution<double> normal_;
  boost::random::uniform_01<double> uniform_;
};

class IntegerSource {
public:
  IntegerSource(std::uint64_t seed, const ValueRange& range)
      : generator_(seed),
        distribution_(whole(std::ceil(range.low)), whole(std::floor(range.high))) {}
  std::int64_t operator()() { return distribution_(generator_); }

private:
  /// The nearest one of 64 bits.
  static std::int64_t whole(double number) {
    using Limits = std::numeric_limits<std::int64_t>;
    if (number >= static_cast<double>(Limits::max())) return Limits::max();
    return number <= static_cast<double>(Limits::min()) ? Limits::min()
                                                        : static_cast<std::int64_t>(number);
  }

  Generator generator_;
  boost::random::uniform_int_distribution<std::int64_t> distribution_;
};

template <class T, class Source> Tensor filled(DType dtype, const Shape& shape, Source source) {
  auto tensor = Tensor{contiguous_view(nullptr, dtype, shape), nullptr};
  const auto count = static_cast<std::size_t>(element_count(tensor.view));
  auto elements = std::make_shared<std::vector<T>>(count);
  for (auto& element : *elements) element = static_cast<T>(source());
  tensor.view.data = elements->data();
  tensor.owner = elements;
  return tensor;
}

template <class Real, class Source> auto complex_from(Source source) {
  return [source]() mutable {
    const auto real = static_cast<Real>(source());
    return c10::complex<Real>(real, static_cast<Real>(source()));
  };
}

template <class Source>
Tensor integers_from(DType dtype, const Shape& shape, const Source& source) {
  switch (dtype) {
  case DType::bool_:
  case DType::uint8: return filled<std::uint8_t>(dtype, shape, source);
  case DType::int8: return filled<std::int8_t>(dtype, shape, source);
  case DType::uint16: return filled<std::uint16_t>(dtype, shape, source);
  case DType::int16: return filled<std::int16_t>(dtype, shape, source);
  case DType::uint32: return filled<std::uint32_t>(dtype, shape, source);
  case DType::int32: return filled<std::int32_t>(dtype, shape, source);
  case DType::uint64: return filled<std::uint64_t>(dtype, shape, source);
  default: return filled<std::int64_t>(dtype, shape, source);
  }
}

template <class Source> Tensor reals_from(DType dtype, const Shape& shape, const Source& source) {
  switch (dtype) {
  case DType::float8_e4m3fn: return filled<c10::Float8_e4m3fn>(dtype, shape, source);
  case DType::float8_e4m3fnuz: return filled<c10::Float8_e4m3fnuz>(dtype, shape, source);
  case DType::float8_e5m2: return filled<c10::Float8_e5m2>(dtype, shape, source);
  case DType::float8_e5m2fnuz: return filled<c10::Float8_e5m2fnuz>(dtype, shape, source);
  case DType::float16: return filled<c10::Half>(dtype, shape, source);
  case DType::bfloat16: return filled<c10::BFloat16>(dtype, shape, source);
  case DType::float64: return filled<double>(dtype, shape, source);
  case DType::complex64:
    return filled<c10::complex<float>>(dtype, shape, complex_from<float>(source));
  case DType::complex128:
    return filled<c10::complex<double>>(dtype, shape, complex_from<double>(source));
  default: return filled<float>(dtype, shape, source);
  }
}

/// The part of a range that a dtype of whole numbers holds.
ValueRange held_part(DType dtype, const ValueRange& range) {
  const double beyond = std::ldexp(1.0, static_cast<int>(bits_of_whole_numbers(dtype)));
  const bool has_sign = holds_all_of(dtype, DType::int8);
  return {std::max(range.low, has_sign ? -beyond : 0.0), std::min(range.high, beyond - 1)};
}

} // namespace

Tensor random_tensor(DType dtype, const Shape& shape, std::uint64_t seed,
                     const std::optional<ValueRange>& range) {
  if (!is_integral(dtype)) return reals_from(dtype, shape, RealSource(seed, range));
  const ValueRange usual = dtype == DType::bool_ ? ValueRange{0, 1} : ValueRange{0, 9};
  const ValueRange within = held_part(dtype, range.value_or(usual));
  if (std::ceil(within.low) > std::floor(within.high))
    throw Error(ErrorKind::bad_input_spec, "",
                std::string("no number of ") + to_string(dtype) + " lies in the range of an input",
                "give a range such as 0..9");
  return integers_from(dtype, shape, IntegerSource(seed, within));
}

Tensor tensor_of(DType dtype, const Shape& shape, const std::vector<double>& numbers) {
  const auto next = [&numbers, at = std::size_t{0}]() mutable { return numbers.at(at++); };
  if (!is_integral(dtype)) return reals_from(dtype, shape, next);
  return integers_from(dtype, shape, next);
}

} // namespace model_validator::verify
