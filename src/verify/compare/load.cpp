#include "verify/compare/load.h"

#include "verify/compare/float_formats.h"
#include "verify/compare/lanes.h"

#include <model_validator/data/contains.h>

#include <array>
#include <stdexcept>
#include <type_traits>

namespace model_validator::verify {

namespace {

template <class T, class Widen>
inline __attribute__((always_inline)) void load(const void* data, std::int64_t stride, double* out,
                                                std::size_t count, Widen widen) {
  const auto* in = static_cast<const Unaligned<T>*>(data);
  if (stride == 1)
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<double>(widen(in[i]));
  else
    for (std::size_t i = 0; i < count; ++i)
      out[i] = static_cast<double>(widen(in[static_cast<std::int64_t>(i) * stride]));
}

template <class T>
inline __attribute__((always_inline)) void load_plain(const void* data, std::int64_t stride,
                                                      double* out, std::size_t count) {
  load<T>(data, stride, out, count, [](T value) { return value; });
}

using Data = const void*;
using Stride = std::int64_t;
using Count = std::size_t;

// Plain functions, not instances of a template: only these can be cloned for vector units.
MODEL_VALIDATOR_VECTORISED void load_float32(Data in, Stride stride, double* out, Count count) {
  load_plain<float>(in, stride, out, count);
}
MODEL_VALIDATOR_VECTORISED void load_float64(Data in, Stride stride, double* out, Count count) {
  load_plain<double>(in, stride, out, count);
}
MODEL_VALIDATOR_VECTORISED void load_float16(Data in, Stride stride, double* out, Count count) {
  load<std::uint16_t>(in, stride, out, count, widen_float16);
}
MODEL_VALIDATOR_VECTORISED void load_bfloat16(Data in, Stride stride, double* out, Count count) {
  load<std::uint16_t>(in, stride, out, count, widen_bfloat16);
}
MODEL_VALIDATOR_VECTORISED void load_uint8(Data in, Stride stride, double* out, Count count) {
  load_plain<std::uint8_t>(in, stride, out, count);
}
MODEL_VALIDATOR_VECTORISED void load_int8(Data in, Stride stride, double* out, Count count) {
  load_plain<std::int8_t>(in, stride, out, count);
}
MODEL_VALIDATOR_VECTORISED void load_uint16(Data in, Stride stride, double* out, Count count) {
  load_plain<std::uint16_t>(in, stride, out, count);
}
MODEL_VALIDATOR_VECTORISED void load_int16(Data in, Stride stride, double* out, Count count) {
  load_plain<std::int16_t>(in, stride, out, count);
}
MODEL_VALIDATOR_VECTORISED void load_uint32(Data in, Stride stride, double* out, Count count) {
  load_plain<std::uint32_t>(in, stride, out, count);
}
MODEL_VALIDATOR_VECTORISED void load_int32(Data in, Stride stride, double* out, Count count) {
  load_plain<std::int32_t>(in, stride, out, count);
}
MODEL_VALIDATOR_VECTORISED void load_uint64(Data in, Stride stride, double* out, Count count) {
  load_plain<std::uint64_t>(in, stride, out, count);
}
MODEL_VALIDATOR_VECTORISED void load_int64(Data in, Stride stride, double* out, Count count) {
  load_plain<std::int64_t>(in, stride, out, count);
}

/// Any byte but 0 is true.
void load_bool(Data in, Stride stride, double* out, Count count) {
  load<std::uint8_t>(in, stride, out, count, [](std::uint8_t value) { return value != 0; });
}

template <DType dtype> void load_float8(Data in, Stride stride, double* out, Count count) {
  const double* values = float8_values(dtype);
  load<std::uint8_t>(in, stride, out, count, [values](std::uint8_t bits) { return values[bits]; });
}

__extension__ typedef __int128 Wide;
using Word = Unaligned<std::uint64_t>;

/// For a side whose top bit is not a sign.
template <class T> constexpr std::uint64_t top_bit() {
  return std::is_signed_v<T> ? 0 : std::uint64_t{1} << 63;
}

inline __attribute__((always_inline)) bool subtract_words(const Word* x, Stride x_stride,
                                                          std::uint64_t x_top, const Word* y,
                                                          Stride y_stride, std::uint64_t y_top,
                                                          double* out, Count count) {
  std::uint64_t lost = 0;
  for (Stride i = 0; i < static_cast<Stride>(count); ++i) {
    const std::uint64_t a = x[i * x_stride], b = y[i * y_stride], difference = b - a;
    lost |= ((b ^ a) & (difference ^ b)) | (a & x_top) | (b & y_top);
    out[i] = static_cast<double>(static_cast<std::int64_t>(difference));
  }
  return lost >> 63 == 0;
}

/// @returns whether all differences are 64-bit integers; else `out` is meaningless
MODEL_VALIDATOR_VECTORISED bool subtract_in_range(const Word* x, Stride x_stride,
                                                  std::uint64_t x_top, const Word* y,
                                                  Stride y_stride, std::uint64_t y_top, double* out,
                                                  Count count) {
  return x_stride == 1 && y_stride == 1
             ? subtract_words(x, 1, x_top, y, 1, y_top, out, count)
             : subtract_words(x, x_stride, x_top, y, y_stride, y_top, out, count);
}

template <class A, class B>
void subtract_exactly(Data a, Stride a_stride, Data b, Stride b_stride, double* out, Count count) {
  if (subtract_in_range(static_cast<const Word*>(a), a_stride, top_bit<A>(),
                        static_cast<const Word*>(b), b_stride, top_bit<B>(), out, count))
    return;
  const auto* x = static_cast<const Unaligned<A>*>(a);
  const auto* y = static_cast<const Unaligned<B>*>(b);
  for (Stride i = 0; i < static_cast<Stride>(count); ++i)
    out[i] = static_cast<double>(static_cast<Wide>(y[i * b_stride]) -
                                 static_cast<Wide>(x[i * a_stride]));
}

struct Loader {
  DType dtype;
  Load load;
};
/// Of the dtypes that arrays have: those of less than a byte are only in graphs.
constexpr std::array loaders{
    Loader{DType::bool_, load_bool},
    Loader{DType::uint8, load_uint8},
    Loader{DType::int8, load_int8},
    Loader{DType::uint16, load_uint16},
    Loader{DType::int16, load_int16},
    Loader{DType::uint32, load_uint32},
    Loader{DType::int32, load_int32},
    Loader{DType::uint64, load_uint64},
    Loader{DType::int64, load_int64},
    Loader{DType::float8_e4m3fn, load_float8<DType::float8_e4m3fn>},
    Loader{DType::float8_e4m3fnuz, load_float8<DType::float8_e4m3fnuz>},
    Loader{DType::float8_e5m2, load_float8<DType::float8_e5m2>},
    Loader{DType::float8_e5m2fnuz, load_float8<DType::float8_e5m2fnuz>},
    Loader{DType::float16, load_float16},
    Loader{DType::complex32, load_float16},
    Loader{DType::bfloat16, load_bfloat16},
    Loader{DType::float32, load_float32},
    Loader{DType::complex64, load_float32},
    Loader{DType::float64, load_float64},
    Loader{DType::complex128, load_float64},
};

} // namespace

Load loader_of(DType dtype) {
  const Loader* loader = row_with(loaders, &Loader::dtype, dtype);
  if (loader == nullptr) throw std::invalid_argument("arrays of this dtype are not compared");
  return loader->load;
}

SubtractExactly exact_subtraction(DType reference, DType candidate) {
  const auto wide = [](DType dtype) { return dtype == DType::int64 || dtype == DType::uint64; };
  if (!wide(reference) || !wide(candidate)) return nullptr;
  if (reference == DType::int64)
    return candidate == DType::int64 ? subtract_exactly<std::int64_t, std::int64_t>
                                     : subtract_exactly<std::int64_t, std::uint64_t>;
  return candidate == DType::int64 ? subtract_exactly<std::uint64_t, std::int64_t>
                                   : subtract_exactly<std::uint64_t, std::uint64_t>;
}

MODEL_VALIDATOR_VECTORISED bool subtract(Block& block, std::size_t count) {
  // Infinity or NaN on either side leaves a difference whose exponent is all ones.
  constexpr std::int64_t magnitude = 0x7fffffffffffffff;
  constexpr std::int64_t infinite = 0x7ff0000000000000;
  std::int64_t special = 0;
  for (std::size_t i = 0; i < count; ++i) {
    block.d[i] = block.b[i] - block.a[i];
    special |= (std::bit_cast<std::int64_t>(block.d[i]) & magnitude) >= infinite ? 1 : 0;
  }
  return special == 0;
}

} // namespace model_validator::verify
