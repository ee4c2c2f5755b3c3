#include "verify/run/npy.h"

#include "verify/run/strided_copy.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/predicate.hpp>

#include <cstring>
#include <map>
#include <regex>

namespace model_validator::verify {
namespace {

const std::string magic = "\x93NUMPY";
constexpr std::int64_t largest = std::int64_t{1} << 40;

const std::map<std::string, DType>& dtypes_by_code() {
  static const std::map<std::string, DType> codes{
      {"b1", DType::bool_},     {"u1", DType::uint8},      {"i1", DType::int8},
      {"u2", DType::uint16},    {"i2", DType::int16},      {"u4", DType::uint32},
      {"i4", DType::int32},     {"u8", DType::uint64},     {"i8", DType::int64},
      {"f2", DType::float16},   {"f4", DType::float32},    {"f8", DType::float64},
      {"c8", DType::complex64}, {"c16", DType::complex128}};
  return codes;
}

std::string code_of(DType dtype) {
  for (const auto& [code, candidate] : dtypes_by_code())
    if (candidate == stored_as(dtype)) return (element_size(dtype) == 1 ? "|" : "<") + code;
  return {};
}

[[noreturn]] void refuse(const std::string& origin, const std::string& cause) {
  throw Error("bad-npy", origin, cause, "write it with numpy.save or numpy.savez");
}

/// The header's text and where the elements begin.
std::pair<std::string, std::size_t> split(const std::string& bytes, const std::string& origin) {
  if (bytes.size() < 10 || !boost::starts_with(bytes, magic)) refuse(origin, "not a NumPy array");
  const bool old = bytes[6] == 1;
  const std::size_t start = old ? 10 : 12;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, old ? 2 : 4);
  if (bytes.size() < start || bytes.size() - start < length)
    refuse(origin, "the array's header is cut off");
  return {bytes.substr(start, length), start + length};
}

std::string field(const std::string& header, const std::string& name, const std::string& value,
                  const std::string& origin) {
  std::smatch found;
  if (!std::regex_search(header, found, std::regex("'" + name + "':\\s*" + value)))
    refuse(origin, "the array's header has no " + name);
  return found[1];
}

DType dtype_of(const std::string& descr, const std::string& origin) {
  const auto found = dtypes_by_code().find(descr.substr(1));
  if (descr[0] == '>') refuse(origin, "the array is big-endian");
  if (found == dtypes_by_code().end())
    refuse(origin, "elements of type '" + descr + "' are no numbers");
  return found->second;
}

Shape shape_of(const std::string& text, const std::string& origin) {
  Shape shape;
  std::int64_t count = 1;
  const std::regex number("\\d+");
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) {
    if (it->length() > 12) refuse(origin, "the array's shape (" + text + ") is not sensible");
    shape.push_back(std::stoll(it->str()));
    if (shape.back() != 0 && count > largest / shape.back())
      refuse(origin, "the array's shape (" + text + ") is not sensible");
    count *= shape.back();
  }
  return shape;
}

std::vector<std::int64_t> fortran_strides(const Shape& shape) {
  std::vector<std::int64_t> strides;
  std::int64_t step = 1;
  for (const auto size : shape) {
    strides.push_back(step);
    step *= size;
  }
  return strides;
}

} // namespace

DType stored_as(DType dtype) {
  switch (dtype) {
  case DType::bfloat16: return DType::uint16;
  case DType::float8_e4m3fn:
  case DType::float8_e4m3fnuz:
  case DType::float8_e5m2:
  case DType::float8_e5m2fnuz: return DType::uint8;
  case DType::complex32: return DType::uint32;
  default: return dtype;
  }
}

Tensor read_npy(std::shared_ptr<const std::string> bytes, const std::string& origin) {
  const auto [header, offset] = split(*bytes, origin);
  const auto dtype = dtype_of(field(header, "descr", "'([<>|=][a-z]\\d+)'", origin), origin);
  const bool fortran = field(header, "fortran_order", "(True|False)", origin) == "True";
  const auto shape = shape_of(field(header, "shape", "\\(([^)]*)\\)", origin), origin);
  auto view = contiguous_view(bytes->data() + offset, dtype, shape);
  if (fortran) view.strides = fortran_strides(shape);
  const auto needed = static_cast<std::uint64_t>(element_count(view)) * element_size(dtype);
  if (bytes->size() - offset < needed) refuse(origin, "the array is cut off");
  return {view, bytes};
}

std::string write_npy(const TensorView& tensor) {
  std::string shape;
  for (const auto size : tensor.shape) shape += std::to_string(size) + ",";
  std::string header = "{'descr': '" + code_of(tensor.dtype) +
                       "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  std::string bytes = magic + std::string("\x01\x00", 2);
  bytes.append(reinterpret_cast<const char*>(&length), 2);
  bytes += header;
  append_row_major(bytes, tensor);
  return bytes;
}

} // namespace model_validator::verify
