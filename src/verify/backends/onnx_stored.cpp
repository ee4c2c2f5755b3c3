#include "verify/backends/onnx_stored.h"

#include "verify/backends/onnx_copy.h"
#include "verify/backends/onnx_types.h"
#include "verify/backends/whole_codes.h"
#include "verify/compare/float_formats.h"
#include "verify/compare/load.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace model_validator::verify {
namespace {

/// Elements of a stored tensor, and how many bits each has.
struct Codes {
  std::vector<double> values;
  double least = 0, greatest = 0;    ///< that there are; of floating-point numbers, in use
  std::optional<FloatFormat> format; ///< of floating-point numbers
};

std::size_t element_count_of(const onnx::TensorProto& tensor) {
  return std::accumulate(tensor.dims().begin(), tensor.dims().end(), std::size_t{1},
                         [](std::size_t count, std::int64_t size) {
                           return count * static_cast<std::size_t>(std::max<std::int64_t>(size, 0));
                         });
}

/// Fewer where there are not so many bytes.
std::vector<double> whole_numbers(const std::string& bytes, std::size_t count,
                                  const WholeDtype& dtype) {
  const std::size_t most = bytes.size() * bits_of_byte / static_cast<std::size_t>(dtype.bits);
  std::vector<double> values(std::min(count, most));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(code_at(bytes, i, dtype));
  return values;
}

std::optional<Codes> packed_codes(const onnx::TensorProto& tensor) {
  const bool is_signed = tensor.data_type() == onnx::TensorProto::INT4;
  if (!is_signed && tensor.data_type() != onnx::TensorProto::UINT4) return std::nullopt;
  const WholeDtype& dtype = *whole_dtype(is_signed ? "int4" : "uint4");
  return Codes{whole_numbers(bytes_of(tensor, 1), element_count_of(tensor), dtype),
               is_signed ? -8.0 : 0.0,
               is_signed ? 7.0 : 15.0,
               {}};
}

/// None for a tensor that is damaged, or not of few bits.
std::optional<Codes> codes_of(const onnx::TensorProto& tensor) {
  auto codes = packed_codes(tensor);
  const auto dtype = codes ? std::nullopt : dtype_of_onnx(tensor.data_type());
  if (dtype && *dtype != DType::float32 && *dtype != DType::float64) {
    const std::size_t width = element_size(*dtype);
    const std::string bytes = bytes_of(tensor, width);
    codes.emplace();
    codes->values.resize(bytes.size() / width);
    loader_of (*dtype)(bytes.data(), 1, codes->values.data(), codes->values.size());
    codes->format = float_format(*dtype);
    const int bits = static_cast<int>(8 * width);
    const bool is_signed = to_string(*dtype)[0] != 'u';
    codes->least = is_signed ? -std::ldexp(1.0, bits - 1) : 0;
    codes->greatest = std::ldexp(1.0, is_signed ? bits - 1 : bits) - 1;
    if (codes->format) { // scales make the most of what there is
      codes->greatest = 0;
      for (const double value : codes->values)
        codes->greatest = std::max(codes->greatest, std::fabs(value));
      codes->least = -codes->greatest;
    }
  }
  if (!codes || codes->values.empty() || codes->values.size() != element_count_of(tensor))
    return std::nullopt;
  return codes;
}

/// What lies within the exponents of double.
double power_of_two(int exponent) {
  constexpr int bias = 1023, mantissa_bits = 52;
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + bias) << mantissa_bits);
}

double step_at(double value, const std::optional<FloatFormat>& format) {
  if (!format) return 1;
  const double size = std::fabs(value);
  if (!(size > power_of_two(format->min_exponent)))
    return power_of_two(format->min_exponent - format->mantissa_bits);
  if (std::isinf(size)) return size;
  // The power of two of its own exponent: it without its mantissa.
  constexpr std::uint64_t exponent_bits = std::uint64_t{0x7FF} << 52;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) & exponent_bits) *
         power_of_two(-format->mantissa_bits);
}

/// Quantisers use the numbers from −127 to 127 as well as all of them.
std::int8_t end_at(double value, const Codes& codes) {
  if (value >= codes.greatest) return 1;
  return value <= codes.least + (codes.least < 0 && !codes.format ? 1 : 0) ? -1 : 0;
}

void reserve(FewBitWeight& weight, std::size_t count) {
  weight.numbers.reserve(count);
  weight.steps.reserve(count);
  weight.ends.reserve(count);
}

void add(FewBitWeight& weight, const Codes& codes, double code, double zero, double scale) {
  weight.numbers.push_back(static_cast<float>((code - zero) * scale));
  weight.steps.push_back(static_cast<float>(step_at(code, codes.format) * std::fabs(scale)));
  weight.ends.push_back(static_cast<std::int8_t>(end_at(code, codes) * (scale < 0 ? -1 : 1)));
}

/// Which scale each element has.
class ScalePlaces {
public:
  /// @returns none where so many scales do not fit the sizes
  static std::optional<ScalePlaces> of(const std::vector<std::int64_t>& sizes, std::size_t scales,
                                       std::int64_t axis, std::int64_t block) {
    ScalePlaces places;
    if (scales == 1) return places;
    const auto rank = static_cast<std::int64_t>(sizes.size());
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return std::nullopt;
    for (std::int64_t d = axis + 1; d < rank; ++d)
      places.inner_ *= static_cast<std::size_t>(sizes[static_cast<std::size_t>(d)]);
    places.length_ = static_cast<std::size_t>(sizes[static_cast<std::size_t>(axis)]);
    places.block_ = static_cast<std::size_t>(std::max<std::int64_t>(block, 1));
    const std::size_t blocks = (places.length_ + places.block_ - 1) / places.block_;
    places.is_blocked_ = block > 0;
    std::size_t outer = 1;
    for (std::int64_t d = 0; d < axis; ++d)
      outer *= static_cast<std::size_t>(sizes[static_cast<std::size_t>(d)]);
    const std::size_t expected =
        places.is_blocked_ ? outer * blocks * places.inner_ : places.length_;
    if (places.length_ == 0 || scales != expected) return std::nullopt;
    return places;
  }

  std::size_t at(std::size_t element) const {
    if (length_ == 0) return 0;
    const std::size_t along = element / inner_ % length_;
    if (!is_blocked_) return along;
    const std::size_t blocks = (length_ + block_ - 1) / block_;
    return (element / inner_ / length_ * blocks + along / block_) * inner_ + element % inner_;
  }

private:
  std::size_t inner_ = 1, length_ = 0, block_ = 1;
  bool is_blocked_ = false;
};

/// How the numbers of a `MatMulNBits` node lie.
struct BlockSizes {
  explicit BlockSizes(const onnx::NodeProto& node)
      : rows(size(node, "N", 0)), columns(size(node, "K", 0)), bits(size(node, "bits", 4)),
        block(size(node, "block_size", 0)) {
    if (!are_sound()) return;
    blocks = (columns + block - 1) / block;
    padded = (blocks + 8 / bits - 1) / (8 / bits) * (8 / bits);
  }
  static std::size_t size(const onnx::NodeProto& node, const char* name, std::int64_t otherwise) {
    return static_cast<std::size_t>(std::max<std::int64_t>(attribute_of(node, name, otherwise), 0));
  }
  bool are_sound() const {
    return rows > 0 && columns > 0 && block > 0 && bits > 0 && 8 % bits == 0;
  }
  std::size_t codes() const { return rows * blocks * block; }
  WholeDtype dtype() const { return {"", static_cast<int>(bits), false}; }
  double middle() const { return 1 << (bits - 1); }
  std::vector<std::int64_t> of_weight() const {
    return {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)};
  }
  /// A row of them begins at a byte, or has a float for each block.
  std::vector<double> zeros_in(const onnx::TensorProto* stored) const {
    std::vector<double> zeros(rows * padded, middle());
    if (stored == nullptr) return zeros;
    const auto floats = floats_in(*stored);
    if (floats.empty()) return whole_numbers(bytes_of(*stored, 1), rows * padded, dtype());
    for (std::size_t i = 0; i < floats.size() && i < rows * blocks; ++i)
      zeros[i / blocks * padded + i % blocks] = floats[i];
    return zeros;
  }

  std::size_t rows, columns, bits, block;
  std::size_t blocks = 0, padded = 0; ///< of a row, and zero points of it
};

} // namespace

std::int64_t attribute_of(const onnx::NodeProto& node, const std::string& name,
                          std::int64_t otherwise) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name) return attribute.i();
  return otherwise;
}

std::string bytes_of(const onnx::TensorProto& tensor, std::size_t width) {
  if (!tensor.raw_data().empty()) return tensor.raw_data();
  std::string bytes;
  for (const std::int32_t number : tensor.int32_data())
    for (std::size_t i = 0; i < width; ++i)
      bytes += static_cast<char>(static_cast<std::uint32_t>(number) >> (8 * i));
  return bytes;
}

std::optional<FewBitWeight> weight_of(const onnx::TensorProto& tensor) {
  const auto codes = codes_of(tensor);
  if (!codes) return std::nullopt;
  FewBitWeight weight{"", tensor.name(), {tensor.dims().begin(), tensor.dims().end()}, {}, {}, {}};
  reserve(weight, codes->values.size());
  for (const double code : codes->values) add(weight, *codes, code, 0, 1);
  return weight;
}

StoredNumbers::StoredNumbers(const onnx::GraphProto& graph) : StoredNumbers(graph, graph) {}

StoredNumbers::StoredNumbers(const onnx::GraphProto& weights, const onnx::GraphProto& nodes) {
  for (const auto& tensor : weights.initializer()) tensors_[tensor.name()] = &tensor;
  for (const auto& node : nodes.node())
    if (node.op_type() == "Constant" && node.attribute_size() == 1 && node.attribute(0).has_t())
      tensors_[node.output(0)] = &node.attribute(0).t();
}

const onnx::TensorProto* StoredNumbers::find(const std::string& name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : found->second;
}

std::vector<float> StoredNumbers::floats(const std::string& name) const {
  const onnx::TensorProto* tensor = find(name);
  return tensor == nullptr ? std::vector<float>() : floats_in(*tensor);
}

std::optional<FewBitWeight> StoredNumbers::weight(const std::string& name, const std::string& scale,
                                                  const std::string& zero_point, std::int64_t axis,
                                                  std::int64_t block) const {
  const onnx::TensorProto* tensor = find(name);
  const auto codes = tensor == nullptr ? std::nullopt : codes_of(*tensor);
  if (!codes) return std::nullopt;
  const auto scales = scale.empty() ? std::vector<float>{1} : floats(scale);
  std::vector<double> zeros(1, 0);
  if (const onnx::TensorProto* given = find(zero_point)) {
    const auto read = codes_of(*given);
    if (!read) return std::nullopt;
    zeros = read->values;
  }
  FewBitWeight weight{"", name, {tensor->dims().begin(), tensor->dims().end()}, {}, {}, {}};
  const auto scale_at = ScalePlaces::of(weight.sizes, scales.size(), axis, block);
  const auto zero_at = ScalePlaces::of(weight.sizes, zeros.size(), axis, block);
  if (!scale_at || !zero_at) return std::nullopt;
  reserve(weight, codes->values.size());
  for (std::size_t i = 0; i < codes->values.size(); ++i)
    add(weight, *codes, codes->values[i], zeros[zero_at->at(i)], scales[scale_at->at(i)]);
  return weight;
}

const onnx::TensorProto* StoredNumbers::input(const onnx::NodeProto& node, int place) const {
  return place < node.input_size() ? find(node.input(place)) : nullptr;
}

std::optional<FewBitWeight> StoredNumbers::blocked_weight(const onnx::NodeProto& node) const {
  const BlockSizes sizes(node);
  const bool is_reordered = node.input_size() > 4 && !node.input(4).empty();
  const onnx::TensorProto *numbers = input(node, 1), *factors = input(node, 2);
  if (!sizes.are_sound() || is_reordered || numbers == nullptr || factors == nullptr)
    return std::nullopt;
  const auto scales = floats_in(*factors);
  const auto codes = whole_numbers(bytes_of(*numbers, 1), sizes.codes(), sizes.dtype());
  const auto zeros = sizes.zeros_in(input(node, 3));
  if (scales.size() != sizes.rows * sizes.blocks || codes.size() != sizes.codes() ||
      zeros.size() != sizes.rows * sizes.padded)
    return std::nullopt;
  const Codes ends{{}, 0, 2 * sizes.middle() - 1, {}};
  FewBitWeight weight{node.name(), node.input(1), sizes.of_weight(), {}, {}, {}};
  reserve(weight, sizes.rows * sizes.columns);
  for (std::size_t row = 0; row < sizes.rows; ++row)
    for (std::size_t column = 0; column < sizes.columns; ++column) {
      const std::size_t at = column / sizes.block;
      add(weight, ends, codes[row * sizes.blocks * sizes.block + column],
          zeros[row * sizes.padded + at], scales[row * sizes.blocks + at]);
    }
  return weight;
}

std::optional<FewBitWeight> StoredNumbers::sums(const std::string& name, const std::string& scale,
                                                const std::string& other) const {
  const auto one = floats(scale), two = floats(other);
  auto weight = this->weight(name, "", "", 0);
  if (!weight || one.size() != 1 || two.empty()) return std::nullopt;
  for (std::size_t i = 0; i < weight->numbers.size(); ++i) {
    const float times = one.front() * two[two.size() == 1 ? 0 : std::min(i, two.size() - 1)];
    weight->numbers[i] *= times;
    weight->steps[i] *= times;
  }
  return weight;
}

} // namespace model_validator::verify
