#include "connected_graph/onnx/tensor.h"

#include <model_validator/data/dtype.h>
#include <model_validator/data/widened.h>
#include <model_validator/error.h>

#include <bit>
#include <cstring>
#include <string_view>

namespace model_validator::onnx_format {
namespace {

constexpr std::uint64_t max_literal_elements = 64;

/// Bits per element; 0 for strings and unknown types.
std::uint32_t bits_of(int type) {
  const auto dtype = dtype_numbered(&DTypeFacts::onnx, type);
  return dtype ? facts_of(*dtype).bits : 0;
}

/// `size` raw bytes of a tensor; empty if the file holds fewer.
std::string raw_bytes(const ::onnx::TensorProto& tensor, std::uint64_t size,
                      const FilteredModel& model, const InputFile& file) {
  const auto spans = spans_of(tensor.raw_data(), model.tensor_data);
  if (spans.size() != 1 || spans[0].size != size) return {};
  return file.read_at(spans[0].offset, static_cast<std::size_t>(size));
}

template <class Stored, class Value>
std::vector<Value> decode(const std::string& bytes, std::uint64_t count) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<Value> values;
  for (std::size_t i = 0; i < count && (i + 1) * sizeof(Stored) <= bytes.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    values.push_back(static_cast<Value>(stored));
  }
  return values;
}

template <class Stored, class Value, class Field>
std::optional<AttributeValue> values(const Field& field, const std::string& bytes,
                                     std::uint64_t count, bool scalar) {
  std::vector<Value> all = field.empty() ? decode<Stored, Value>(bytes, count)
                                         : std::vector<Value>(field.begin(), field.end());
  if (all.size() != count) return std::nullopt;
  if (scalar) return AttributeValue(static_cast<Value>(all[0]));
  return AttributeValue(std::move(all));
}

/// Two to a byte, the first in the lower bits.
std::vector<double> decode_halves(const std::string& bytes, std::uint64_t count, bool is_signed) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < count && i / 2 < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[static_cast<std::size_t>(i / 2)]);
    const int half = i % 2 == 0 ? byte & 15 : byte >> 4;
    values.push_back(is_signed && half > 7 ? half - 16 : half);
  }
  return values;
}

/// @param bits  as the file has them; those of a damaged one may be negative
std::vector<double> widened(std::vector<double> bits, float (*widen)(std::uint16_t)) {
  for (double& each : bits)
    each = widen(static_cast<std::uint16_t>(static_cast<std::int64_t>(each)));
  return bits;
}

bool is_setting(const ::onnx::TensorProto& tensor, std::uint64_t count) {
  using T = ::onnx::TensorProto;
  if (tensor.data_location() == T::EXTERNAL || count > max_literal_elements) return false;
  const bool integral = tensor.data_type() == T::INT64 || tensor.data_type() == T::INT32 ||
                        tensor.data_type() == T::BOOL;
  return integral || tensor.dims_size() == 0;
}

} // namespace

std::string dtype_name(int type) {
  const auto dtype = dtype_numbered(&DTypeFacts::onnx, type);
  return dtype ? to_string(*dtype) : std::string();
}

TensorType tensor_type(const ::onnx::TypeProto& type) {
  TensorType result;
  if (!type.has_tensor_type()) return result;
  result.dtype = dtype_name(type.tensor_type().elem_type());
  if (!type.tensor_type().has_shape()) return result;
  result.shape.emplace();
  for (const auto& dimension : type.tensor_type().shape().dim())
    result.shape->push_back(
        dimension.has_dim_value() && dimension.dim_value() >= 0 ? dimension.dim_value() : -1);
  return result;
}

TensorType tensor_type(const ::onnx::TensorProto& tensor) {
  return {std::vector<std::int64_t>(tensor.dims().begin(), tensor.dims().end()),
          dtype_name(tensor.data_type())};
}

std::uint64_t element_count(const ::onnx::TensorProto& tensor, const std::string& path) {
  std::uint64_t count = 1;
  for (const std::int64_t dimension : tensor.dims()) {
    const auto size = static_cast<std::uint64_t>(dimension);
    if (dimension < 0 || (size > 0 && count > (std::uint64_t{1} << 56) / size))
      throw Error(ErrorKind::damaged_onnx, path,
                  "tensor `" + tensor.name() + "` has dimensions too large for any memory",
                  "copy or download it again, or export the model again");
    count *= size;
  }
  return count;
}

std::uint64_t byte_count(const ::onnx::TensorProto& tensor, const std::string& path) {
  return (element_count(tensor, path) * bits_of(tensor.data_type()) + 7) / 8;
}

std::optional<AttributeValue> literal(const ::onnx::TensorProto& tensor, const FilteredModel& model,
                                      const InputFile& file) {
  using T = ::onnx::TensorProto;
  const std::uint64_t count = element_count(tensor, file.path().string());
  if (!is_setting(tensor, count)) return std::nullopt;
  const bool scalar = tensor.dims_size() == 0;
  const std::string bytes =
      raw_bytes(tensor, byte_count(tensor, file.path().string()), model, file);
  switch (tensor.data_type()) {
  case T::INT64:
    return values<std::int64_t, std::int64_t>(tensor.int64_data(), bytes, count, scalar);
  case T::INT32:
    return values<std::int32_t, std::int64_t>(tensor.int32_data(), bytes, count, scalar);
  case T::BOOL: return values<std::uint8_t, bool>(tensor.int32_data(), bytes, count, scalar);
  case T::FLOAT: return values<float, double>(tensor.float_data(), bytes, count, scalar);
  case T::DOUBLE: return values<double, double>(tensor.double_data(), bytes, count, scalar);
  default: return std::nullopt;
  }
}

namespace {

using T = ::onnx::TensorProto;

/// From a field of the message, or else from raw bytes.
template <class Stored, class Field>
std::vector<double> given(const Field& field, const std::string& bytes, std::uint64_t count) {
  return field.empty() ? decode<Stored, double>(bytes, count)
                       : std::vector<double>(field.begin(), field.end());
}

/// Of dtypes that C++ has.
std::vector<double> plain_numbers(const T& tensor, const std::string& bytes, std::uint64_t count) {
  switch (tensor.data_type()) {
  case T::FLOAT: return given<float>(tensor.float_data(), bytes, count);
  case T::DOUBLE: return given<double>(tensor.double_data(), bytes, count);
  case T::INT8: return given<std::int8_t>(tensor.int32_data(), bytes, count);
  case T::UINT8: return given<std::uint8_t>(tensor.int32_data(), bytes, count);
  case T::INT16: return given<std::int16_t>(tensor.int32_data(), bytes, count);
  case T::UINT16: return given<std::uint16_t>(tensor.int32_data(), bytes, count);
  case T::INT32: return given<std::int32_t>(tensor.int32_data(), bytes, count);
  case T::INT64: return given<std::int64_t>(tensor.int64_data(), bytes, count);
  case T::UINT64: return given<std::uint64_t>(tensor.uint64_data(), bytes, count);
  default: return {};
  }
}

std::vector<double> stored_numbers(const T& tensor, const std::string& bytes, std::uint64_t count) {
  const auto halves = [&] { return given<std::uint16_t>(tensor.int32_data(), bytes, count); };
  switch (tensor.data_type()) {
  case T::FLOAT16: return widened(halves(), widen_float16);
  case T::BFLOAT16: return widened(halves(), widen_bfloat16);
  case T::INT4: return decode_halves(bytes, count, true);
  case T::UINT4: return decode_halves(bytes, count, false);
  default: return plain_numbers(tensor, bytes, count);
  }
}

} // namespace

std::optional<std::vector<double>> numbers_of(const ::onnx::TensorProto& tensor,
                                              const FilteredModel& model, const InputFile& file,
                                              std::uint64_t most) {
  const std::string path = file.path().string();
  const std::uint64_t count = element_count(tensor, path);
  if (count == 0 || count > most || tensor.data_location() == T::EXTERNAL) return std::nullopt;
  const std::string bytes = raw_bytes(tensor, byte_count(tensor, path), model, file);
  auto numbers = stored_numbers(tensor, bytes, count);
  if (numbers.size() != count) return std::nullopt;
  return numbers;
}

} // namespace model_validator::onnx_format
