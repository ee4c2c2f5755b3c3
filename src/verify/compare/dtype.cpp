#include <model_validator/verify/tensor_view.h>

#include <array>
#include <cstring>
#include <functional>
#include <numeric>

namespace model_validator::verify {

namespace {

struct DTypeFacts {
  DType dtype;
  const char* name;
  std::size_t size;
};

constexpr std::array<DTypeFacts, 20> facts{{
    {DType::bool_, "bool", 1},
    {DType::uint8, "uint8", 1},
    {DType::int8, "int8", 1},
    {DType::uint16, "uint16", 2},
    {DType::int16, "int16", 2},
    {DType::uint32, "uint32", 4},
    {DType::int32, "int32", 4},
    {DType::uint64, "uint64", 8},
    {DType::int64, "int64", 8},
    {DType::float8_e4m3fn, "float8_e4m3fn", 1},
    {DType::float8_e4m3fnuz, "float8_e4m3fnuz", 1},
    {DType::float8_e5m2, "float8_e5m2", 1},
    {DType::float8_e5m2fnuz, "float8_e5m2fnuz", 1},
    {DType::float16, "float16", 2},
    {DType::bfloat16, "bfloat16", 2},
    {DType::float32, "float32", 4},
    {DType::float64, "float64", 8},
    {DType::complex32, "complex32", 4},
    {DType::complex64, "complex64", 8},
    {DType::complex128, "complex128", 16},
}};

const DTypeFacts& facts_of(DType dtype) { return facts.at(static_cast<std::size_t>(dtype)); }

} // namespace

const char* to_string(DType dtype) { return facts_of(dtype).name; }

std::optional<DType> parse_dtype(std::string_view name) {
  for (const DTypeFacts& fact : facts)
    if (name == fact.name) return fact.dtype;
  return std::nullopt;
}

std::size_t element_size(DType dtype) { return facts_of(dtype).size; }

bool is_floating(DType dtype) { return dtype >= DType::float8_e4m3fn && dtype <= DType::float64; }
bool is_complex(DType dtype) { return dtype >= DType::complex32; }
bool is_integral(DType dtype) { return dtype <= DType::int64; }

std::int64_t element_count(const TensorView& view) {
  return std::accumulate(view.shape.begin(), view.shape.end(), std::int64_t{1},
                         std::multiplies<>());
}

TensorView contiguous_view(const void* data, DType dtype, Shape shape) {
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return {data, dtype, std::move(shape), std::move(strides)};
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

Tensor make_tensor(DType dtype, Shape shape, const void* bytes) {
  TensorView view = contiguous_view(nullptr, dtype, std::move(shape));
  const std::size_t size = static_cast<std::size_t>(element_count(view)) * element_size(dtype);
  std::shared_ptr<std::byte[]> copy(new std::byte[size]);
  if (size != 0) std::memcpy(copy.get(), bytes, size);
  view.data = copy.get();
  return {std::move(view), std::shared_ptr<const void>(copy, copy.get())};
}

} // namespace model_validator::verify
