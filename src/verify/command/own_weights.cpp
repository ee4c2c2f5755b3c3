#include "verify/command/own_weights.h"

#include "introspection/stored_numbers.h"
#include "introspection/weight_store.h"
#include "verify/run/narrow_execution.h"

#include <ATen/ATen.h>

#include <cmath>
#include <optional>

namespace model_validator::verify {
namespace {

/// A weight in few bits has nine tenths of its direction even in two bits; unrelated ones have
/// none.
constexpr double similar = 0.5;
constexpr std::size_t looked_at = 4096; ///< numbers of a matrix, to tell it from others

std::optional<c10::ScalarType> type_of(const StoredWeights& stored) {
  if (stored.dtype == "float32") return c10::kFloat;
  if (stored.dtype == "float16") return c10::kHalf;
  if (stored.dtype == "bfloat16") return c10::kBFloat16;
  return std::nullopt;
}

std::vector<float> numbers_in(const StoredWeights& stored) {
  std::string bytes = stored_bytes(stored);
  const auto type = type_of(stored).value();
  const auto count = static_cast<std::int64_t>(bytes.size() / c10::elementSize(type));
  const auto tensor = at::from_blob(bytes.data(), {count}, type).to(c10::kFloat);
  return {tensor.const_data_ptr<float>(), tensor.const_data_ptr<float>() + count};
}

/// Row after row, in a dtype that is read.
bool is_plain_matrix(const StoredWeights& stored) {
  if (!type_of(stored) || stored.shape.size() != 2) return false;
  return stored.strides.empty() || (stored.strides[1] == 1 && stored.strides[0] == stored.shape[1]);
}

std::vector<float> turned(const std::vector<float>& numbers, std::int64_t rows,
                          std::int64_t columns) {
  const auto matrix = at::from_blob(const_cast<float*>(numbers.data()), {rows, columns});
  const auto other = matrix.t().contiguous();
  return {other.data_ptr<float>(), other.data_ptr<float>() + other.numel()};
}

bool fits(const FewBitWeight& weight, std::int64_t rows, std::int64_t columns, bool is_turned) {
  if (!is_turned) return rows == weight.rows && columns == weight.columns;
  return rows == weight.columns && columns == weight.rows;
}

/// Which numbers of a matrix tell it from others: every so many.
std::size_t step_through(std::size_t count) {
  return std::max<std::size_t>(1, count / looked_at) | 1U;
}

/// These numbers of a matrix, or of it turned.
std::vector<float> some_of(const std::vector<float>& numbers, std::int64_t rows,
                           std::int64_t columns, bool is_turned) {
  const auto height = static_cast<std::size_t>(rows), width = static_cast<std::size_t>(columns);
  std::vector<float> found;
  for (std::size_t i = 0; i < numbers.size(); i += step_through(numbers.size()))
    found.push_back(numbers[is_turned ? i % height * width + i / height : i]);
  return found;
}

/// Of these numbers, the cosine of two matrices.
double likeness(const FewBitWeight& weight, const std::vector<float>& other) {
  double product = 0, one = 0, two = 0;
  const std::size_t step = step_through(weight.numbers.size());
  for (std::size_t i = 0; i < other.size(); ++i) {
    const double x = weight.numbers[i * step], y = other[i];
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
    const auto rows = static_cast<std::int64_t>(stored.shape[0]);
    const auto columns = static_cast<std::int64_t>(stored.shape[1]);
    const auto numbers = numbers_in(stored);
    if (numbers.size() != static_cast<std::size_t>(rows * columns)) continue;
    matrices_.push_back({rows, columns, stored, some_of(numbers, rows, columns, false),
                         some_of(numbers, rows, columns, true)});
  }
}

OwnWeights::Match OwnWeights::most_similar(const FewBitWeight& weight) {
  Match best;
  double most = similar;
  for (Matrix& matrix : matrices_)
    for (const bool is_turned : {false, true}) {
      if (!fits(weight, matrix.rows, matrix.columns, is_turned)) continue;
      const double found = likeness(weight, is_turned ? matrix.turned : matrix.as_it_lies);
      if (!(found > most)) continue;
      most = found;
      best = {&matrix, is_turned};
    }
  return best;
}

OwnWeights::Match OwnWeights::only_one_left(const FewBitWeight& weight) {
  Match found;
  for (Matrix& matrix : matrices_)
    for (const bool is_turned : {false, true}) {
      if (matrix.is_used || !fits(weight, matrix.rows, matrix.columns, is_turned)) continue;
      const bool is_square = matrix.rows == matrix.columns;
      if (is_square && is_turned != (turned_ > 0)) continue; // a file stores all in one way
      if (found.matrix != nullptr) return {};
      found = {&matrix, is_turned};
    }
  return found;
}

std::vector<float> OwnWeights::take(const FewBitWeight& weight, const Match& match) {
  if (match.matrix == nullptr) return {};
  match.matrix->is_used = true;
  turned_ += match.is_turned ? 1 : -1;
  const Matrix& matrix = *match.matrix;
  std::vector<float> own = numbers_in(matrix.stored);
  if (match.is_turned) own = turned(own, matrix.rows, matrix.columns);
  const auto exact = at::from_blob(own.data(), {weight.rows, weight.columns});
  const auto rounded = rounded_weight(exact, weight.how).contiguous();
  ratios_.push_back(
      {weight.layer, ratio(own, weight.numbers.data()), ratio(own, rounded.data_ptr<float>())});
  return own;
}

std::vector<std::vector<float>> OwnWeights::of(const std::vector<FewBitWeight>& weights) {
  std::vector<std::vector<float>> own;
  for (const FewBitWeight& weight : weights) own.push_back(take(weight, most_similar(weight)));
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i].empty()) own[i] = take(weights[i], only_one_left(weights[i]));
  return own;
}

} // namespace model_validator::verify
