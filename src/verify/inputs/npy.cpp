#include "verify/inputs/npy.h"

#include "verify/inputs/strided_copy.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

namespace model_validator::verify {
namespace {

const std::string magic = "\x93NUMPY";
/// Elements; a dimension of 0 counts as 1, so that no stride is larger either.
constexpr std::int64_t max_array_elements = std::int64_t{1} << 40;
constexpr std::size_t max_dimensions = 64;

struct Header {
  DType dtype;
  bool fortran;
  Shape shape;
};

std::string code_of(DType dtype) {
  const std::string code(facts_of(stored_as(dtype)).numpy);
  return code.empty() ? code : (element_size(dtype) == 1 ? "|" : "<") + code;
}

[[noreturn]] void refuse_npy(const std::string& origin, const std::string& cause) {
  throw Error(ErrorKind::bad_npy, origin, cause, "write it with numpy.save or numpy.savez");
}

/// The header's text and where the elements begin.
std::pair<std::string_view, std::size_t> split(std::string_view bytes, const std::string& origin) {
  if (bytes.size() < 12 || !boost::starts_with(bytes, magic))
    refuse_npy(origin, "not a NumPy array");
  const bool old = bytes[6] == 1;
  const std::size_t start = old ? 10 : 12;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, old ? 2 : 4);
  if (length > max_header_length) refuse_npy(origin, "the array's header is longer than 64 kB");
  if (bytes.size() - start < length) refuse_npy(origin, "the array's header is cut off");
  return {bytes.substr(start, length), start + length};
}

DType dtype_of(std::string_view descr, const std::string& origin) {
  if (descr.size() < 3) refuse_npy(origin, "the array's header has no descr");
  if (descr[0] == '>') refuse_npy(origin, "the array is big-endian");
  const auto dtype = dtype_spelled(&DTypeFacts::numpy, descr.substr(1));
  if (!dtype || std::string_view("<|=").find(descr[0]) == descr.npos)
    refuse_npy(origin,
               "elements of type '" + std::string(descr.substr(0, 32)) + "' are not numbers");
  return *dtype;
}

/// Adds a dimension, as long as the array has a size that some memory could hold.
void add_dimension(Shape& shape, std::int64_t size, std::int64_t& count,
                   const std::string& origin) {
  const std::int64_t factor = std::max<std::int64_t>(1, size);
  if (shape.size() == max_dimensions || count > max_array_elements / factor)
    refuse_npy(origin, "the array's shape is not sensible");
  count *= factor;
  shape.push_back(size);
}

/// Reads the Python dict that a header is: `{'descr': '<f4', 'fortran_order': False, 'shape':
/// (3,)}`.
class HeaderReader {
public:
  HeaderReader(std::string_view text, const std::string& origin) : text_(text), origin_(origin) {}

  Header read() {
    expect('{');
    while (!taken('}')) {
      const std::string_view key = quoted();
      expect(':');
      read_value(key);
      if (!taken(',') && next() != '}') malformed();
    }
    skip_blanks();
    if (!text_.empty()) malformed();
    if (!dtype_) refuse_npy(origin_, "the array's header has no descr");
    if (!fortran_) refuse_npy(origin_, "the array's header has no fortran_order");
    if (!shape_) refuse_npy(origin_, "the array's header has no shape");
    return {*dtype_, *fortran_, std::move(*shape_)};
  }

private:
  [[noreturn]] void malformed() const { refuse_npy(origin_, "the array's header is damaged"); }

  void read_value(std::string_view key) {
    if (key == "descr")
      dtype_ = dtype_of(next() == '[' ? "structured" : quoted(), origin_);
    else if (key == "fortran_order")
      fortran_ = truth();
    else if (key == "shape")
      shape_ = shape();
    else
      refuse_npy(origin_, "the array's header has a key that NumPy does not write");
  }

  void skip_blanks() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t\n"), text_.size()));
  }
  char next() {
    skip_blanks();
    return text_.empty() ? '\0' : text_.front();
  }
  bool taken(char c) {
    if (next() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!taken(c)) malformed();
  }
  bool taken(std::string_view word) {
    skip_blanks();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::string_view quoted() {
    const char quote = next();
    if (quote != '\'' && quote != '"') malformed();
    const auto end = text_.find(quote, 1);
    if (end == std::string_view::npos) malformed();
    const std::string_view found = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return found;
  }

  bool truth() {
    if (taken("True")) return true;
    if (!taken("False")) malformed();
    return false;
  }

  Shape shape() {
    Shape sizes;
    std::int64_t count = 1;
    expect('(');
    while (!taken(')')) {
      add_dimension(sizes, size(), count, origin_);
      if (!taken(',') && next() != ')') malformed();
    }
    return sizes;
  }

  /// Python 2 wrote `3L`.
  std::int64_t size() {
    skip_blanks();
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (failure == std::errc::result_out_of_range || value < 0)
      refuse_npy(origin_, "the array's shape is not sensible");
    if (failure != std::errc()) malformed();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    taken("L");
    return value;
  }

  std::string_view text_;
  const std::string& origin_;
  std::optional<DType> dtype_;
  std::optional<bool> fortran_;
  std::optional<Shape> shape_;
};

std::uint64_t bytes_of_elements(const Header& header) {
  std::uint64_t size = element_size(header.dtype);
  for (const std::int64_t dimension : header.shape) size *= static_cast<std::uint64_t>(dimension);
  return size;
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

std::uint64_t npy_size(std::string_view start, const std::string& origin) {
  const auto [text, offset] = split(start, origin);
  return offset + bytes_of_elements(HeaderReader(text, origin).read());
}

Tensor read_npy(std::shared_ptr<const std::string> bytes, const std::string& origin) {
  const auto [text, offset] = split(*bytes, origin);
  const Header header = HeaderReader(text, origin).read();
  if (bytes->size() < offset + bytes_of_elements(header))
    refuse_npy(origin, "the array is cut off");
  auto view = contiguous_view(bytes->data() + offset, header.dtype, header.shape);
  if (header.fortran) view.strides = fortran_strides(header.shape);
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
