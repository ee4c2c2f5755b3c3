#include "verify/command/own_weights.h"

#include "introspection/byte_source.h"
#include "introspection/weight_store.h"
#include "verify/run/narrow_execution.h"

#include <model_validator/data/widened.h>

#include <ATen/ATen.h>

#include <cmath>
#include <cstring>

namespace model_validator::verify {
namespace {

/// A weight in few bits has nine tenths of its direction even in two bits; unrelated ones have
/// none.
constexpr double similar = 0.5;
constexpr std::size_t looked_at = 4096; ///< numbers of a matrix, to tell it from others

std::string bytes_of(const StoredWeights& stored) {
  if (!stored.bytes.empty()) return stored.bytes;
  ByteSource source;
  std::string bytes;
  for (const ByteSpan& span : stored.spans) {
    const std::size_t before = bytes.size();
    bytes.resize(before + span.size);
    source.seek(stored, span.offset);
    source.read(bytes.data() + before, span.size);
  }
  return bytes;
}

template <class Stored, class Widen>
std::vector<float> widened(const std::string& bytes, const Widen& widen) {
  std::vector<float> numbers(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof stored, sizeof stored);
    numbers[i] = widen(stored);
  }
  return numbers;
}

std::vector<float> numbers_in(const StoredWeights& stored) {
  const std::string bytes = bytes_of(stored);
  if (stored.dtype == "float16") return widened<std::uint16_t>(bytes, widen_float16);
  if (stored.dtype == "bfloat16") return widened<std::uint16_t>(bytes, widen_bfloat16);
  return widened<float>(bytes, [](float number) { return number; });
}

/// Row after row, in a dtype that is read.
bool is_plain_matrix(const StoredWeights& stored) {
  const bool is_read =
      stored.dtype == "float32" || stored.dtype == "float16" || stored.dtype == "bfloat16";
  if (!is_read || stored.shape.size() != 2) return false;
  return stored.strides.empty() || (stored.strides[1] == 1 && stored.strides[0] == stored.shape[1]);
}

std::vector<float> turned(const std::vector<float>& numbers, std::int64_t rows,
                          std::int64_t columns) {
  const auto matrix = at::from_blob(const_cast<float*>(numbers.data()), {rows, columns});
  const auto other = matrix.t().contiguous();
  return {other.data_ptr<float>(), other.data_ptr<float>() + other.numel()};
}

/// Of the numbers at some places, the cosine of two matrices.
double likeness(const FewBitWeight& weight, const std::vector<float>& other, bool is_turned) {
  double product = 0, one = 0, two = 0;
  const auto rows = static_cast<std::size_t>(weight.rows);
  const auto columns = static_cast<std::size_t>(weight.columns);
  const std::size_t step = std::max<std::size_t>(1, weight.numbers.size() / looked_at) | 1U;
  for (std::size_t i = 0; i < weight.numbers.size(); i += step) {
    const double x = weight.numbers[i];
    const double y = other[is_turned ? i % columns * rows + i / columns : i];
    product += x * y;
    one += x * x;
    two += y * y;
  }
  return one > 0 && two > 0 ? product / std::sqrt(one * two) : 0;
}

double ratio(const std::vector<float>& exact, const float* other) {
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double difference = static_cast<double>(exact[i]) - other[i];
    signal += static_cast<double>(exact[i]) * exact[i];
    noise += difference * difference;
  }
  return 10 * std::log10(signal / std::max(noise, 1e-300));
}

} // namespace

OwnWeights::OwnWeights(const std::filesystem::path& reference) {
  for (const StoredWeights& stored : list_named_weights(reference)) {
    if (!is_plain_matrix(stored)) continue;
    matrices_.push_back({static_cast<std::int64_t>(stored.shape[0]),
                         static_cast<std::int64_t>(stored.shape[1]), numbers_in(stored)});
    const Matrix& matrix = matrices_.back();
    const auto count = static_cast<std::size_t>(matrix.rows * matrix.columns);
    if (matrix.numbers.size() != count) matrices_.pop_back();
  }
}

std::vector<float> OwnWeights::of(const FewBitWeight& weight) {
  const Matrix* best = nullptr;
  bool is_turned = false;
  double most = similar;
  const auto consider = [&](const Matrix& matrix, bool turns) {
    const bool fits = turns ? matrix.rows == weight.columns && matrix.columns == weight.rows
                            : matrix.rows == weight.rows && matrix.columns == weight.columns;
    if (!fits) return;
    const double found = likeness(weight, matrix.numbers, turns);
    if (!(found > most)) return;
    most = found;
    best = &matrix;
    is_turned = turns;
  };
  for (const Matrix& matrix : matrices_) {
    consider(matrix, false);
    consider(matrix, true);
  }
  if (best == nullptr) return {};
  std::vector<float> own =
      is_turned ? turned(best->numbers, best->rows, best->columns) : best->numbers;
  const auto exact = at::from_blob(own.data(), {weight.rows, weight.columns});
  const auto rounded = rounded_weight(exact, weight.how).contiguous();
  ratios_.push_back(
      {weight.layer, ratio(own, weight.numbers.data()), ratio(own, rounded.data_ptr<float>())});
  return own;
}

} // namespace model_validator::verify
