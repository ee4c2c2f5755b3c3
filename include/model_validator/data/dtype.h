#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace model_validator {

/// What one element of a tensor is.
enum class DType : std::uint8_t {
  bool_,
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  uint64,
  int64,
  float8_e4m3fn,
  float8_e4m3fnuz,
  float8_e5m2,
  float8_e5m2fnuz,
  float16,
  bfloat16,
  float32,
  float64,
  complex32,
  complex64,
  complex128,
  // The dtypes from here on occur in graphs, not in arrays that are compared.
  float8_e8m0fnu,
  float6_e2m3fn,
  float6_e3m2fn,
  float4_e2m1fn,
  uint4,
  int4,
  uint2,
  int2,
  qint8,
  quint8,
  qint32,
  quint4x2,
  quint2x4,
  string
};

enum class DTypeKind : std::uint8_t { integral, floating, complex, quantized, text };

/// A dtype as each format has it; -1 or an empty string if the format does not have it.
struct DTypeFacts {
  DType dtype;
  const char* name; ///< PyTorch's; if it has none, ONNX's in the same style
  unsigned bits;    ///< per element; 0 where they differ
  DTypeKind kind;
  int torch;                ///< `c10::ScalarType`, which TorchScript writes
  int exported;             ///< `ScalarType` of torch.export's schema
  int onnx;                 ///< `TensorProto.DataType`
  std::string_view storage; ///< in pickles: `Float` of `torch.FloatStorage`
  std::string_view numpy;   ///< `f4` of `<f4`
};

/// Sources: c10/core/ScalarType.h and torch/_export/serde/schema.py of PyTorch 2.13, onnx.proto of
/// ONNX 1.23, numpy.lib.format.
inline constexpr std::array<DTypeFacts, 34> dtype_table{{
    {DType::bool_, "bool", 8, DTypeKind::integral, 11, 12, 9, "Bool", "b1"},
    {DType::uint8, "uint8", 8, DTypeKind::integral, 0, 1, 2, "Byte", "u1"},
    {DType::int8, "int8", 8, DTypeKind::integral, 1, 2, 3, "Char", "i1"},
    {DType::uint16, "uint16", 16, DTypeKind::integral, 27, 28, 4, "UInt16", "u2"},
    {DType::int16, "int16", 16, DTypeKind::integral, 2, 3, 5, "Short", "i2"},
    {DType::uint32, "uint32", 32, DTypeKind::integral, 28, 34, 12, "UInt32", "u4"},
    {DType::int32, "int32", 32, DTypeKind::integral, 3, 4, 6, "Int", "i4"},
    {DType::uint64, "uint64", 64, DTypeKind::integral, 29, 35, 13, "UInt64", "u8"},
    {DType::int64, "int64", 64, DTypeKind::integral, 4, 5, 7, "Long", "i8"},
    {DType::float8_e4m3fn, "float8_e4m3fn", 8, DTypeKind::floating, 24, 29, 17, "Float8_e4m3fn",
     ""},
    {DType::float8_e4m3fnuz, "float8_e4m3fnuz", 8, DTypeKind::floating, 26, 31, 18,
     "Float8_e4m3fnuz", ""},
    {DType::float8_e5m2, "float8_e5m2", 8, DTypeKind::floating, 23, 30, 19, "Float8_e5m2", ""},
    {DType::float8_e5m2fnuz, "float8_e5m2fnuz", 8, DTypeKind::floating, 25, 32, 20,
     "Float8_e5m2fnuz", ""},
    {DType::float16, "float16", 16, DTypeKind::floating, 5, 6, 10, "Half", "f2"},
    {DType::bfloat16, "bfloat16", 16, DTypeKind::floating, 15, 13, 16, "BFloat16", ""},
    {DType::float32, "float32", 32, DTypeKind::floating, 6, 7, 1, "Float", "f4"},
    {DType::float64, "float64", 64, DTypeKind::floating, 7, 8, 11, "Double", "f8"},
    {DType::complex32, "complex32", 32, DTypeKind::complex, 8, 9, -1, "ComplexHalf", ""},
    {DType::complex64, "complex64", 64, DTypeKind::complex, 9, 10, 14, "ComplexFloat", "c8"},
    {DType::complex128, "complex128", 128, DTypeKind::complex, 10, 11, 15, "ComplexDouble", "c16"},
    {DType::float8_e8m0fnu, "float8_e8m0fnu", 8, DTypeKind::floating, 44, 33, 24, "Float8_e8m0fnu",
     ""},
    {DType::float6_e2m3fn, "float6_e2m3fn", 6, DTypeKind::floating, -1, -1, 27, "", ""},
    {DType::float6_e3m2fn, "float6_e3m2fn", 6, DTypeKind::floating, -1, -1, 28, "", ""},
    {DType::float4_e2m1fn, "float4_e2m1fn", 4, DTypeKind::floating, -1, -1, 23, "", ""},
    {DType::uint4, "uint4", 4, DTypeKind::integral, 33, -1, 21, "", ""},
    {DType::int4, "int4", 4, DTypeKind::integral, 40, -1, 22, "", ""},
    {DType::uint2, "uint2", 2, DTypeKind::integral, 31, -1, 25, "", ""},
    {DType::int2, "int2", 2, DTypeKind::integral, 38, -1, 26, "", ""},
    {DType::qint8, "qint8", 8, DTypeKind::quantized, 12, -1, -1, "QInt8", ""},
    {DType::quint8, "quint8", 8, DTypeKind::quantized, 13, -1, -1, "QUInt8", ""},
    {DType::qint32, "qint32", 32, DTypeKind::quantized, 14, -1, -1, "QInt32", ""},
    {DType::quint4x2, "quint4x2", 4, DTypeKind::quantized, 16, -1, -1, "QUInt4x2", ""},
    {DType::quint2x4, "quint2x4", 2, DTypeKind::quantized, 17, -1, -1, "QUInt2x4", ""},
    {DType::string, "string", 0, DTypeKind::text, -1, -1, 8, "", ""},
}};

constexpr const DTypeFacts& facts_of(DType dtype) {
  return dtype_table[static_cast<std::size_t>(dtype)];
}

/// The dtype with this number in a format: `dtype_numbered(&DTypeFacts::onnx, 1)` is float32.
constexpr std::optional<DType> dtype_numbered(int DTypeFacts::*format, std::int64_t number) {
  for (const DTypeFacts& facts : dtype_table)
    if (number >= 0 && facts.*format == number) return facts.dtype;
  return std::nullopt;
}

/// The dtype with this spelling in a format.
constexpr std::optional<DType> dtype_spelled(std::string_view DTypeFacts::*format,
                                             std::string_view text) {
  for (const DTypeFacts& facts : dtype_table)
    if (!text.empty() && facts.*format == text) return facts.dtype;
  return std::nullopt;
}

/// The dtype of that name.
constexpr std::optional<DType> dtype_named(std::string_view name) {
  for (const DTypeFacts& facts : dtype_table)
    if (name == facts.name) return facts.dtype;
  return std::nullopt;
}

/// The dtype of a pickled storage: float32 of `torch.FloatStorage`.
constexpr std::optional<DType> dtype_of_storage(std::string_view storage) {
  constexpr std::string_view before = "torch.";
  constexpr std::string_view after = "Storage";
  if (!storage.starts_with(before) || !storage.ends_with(after)) return std::nullopt;
  if (storage.size() < before.size() + after.size()) return std::nullopt;
  storage.remove_prefix(before.size());
  storage.remove_suffix(after.size());
  return dtype_spelled(&DTypeFacts::storage, storage);
}

constexpr const char* to_string(DType dtype) { return facts_of(dtype).name; }

constexpr bool is_integral(DType dtype) { return facts_of(dtype).kind == DTypeKind::integral; }
constexpr bool is_floating(DType dtype) { return facts_of(dtype).kind == DTypeKind::floating; }
constexpr bool is_complex(DType dtype) { return facts_of(dtype).kind == DTypeKind::complex; }

} // namespace model_validator
