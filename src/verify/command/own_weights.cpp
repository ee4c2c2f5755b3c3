#include "verify/command/own_weights.h"

#include "introspection/folded_layer.h"
#include "introspection/stored_numbers.h"
#include "introspection/weight_store.h"
#include "verify/backends/xnnpack_weights.h"
#include "verify/compare/limits.h"
#include "verify/compare/words.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace model_validator::verify {
namespace {

/// A weight in few bits has nine tenths of its direction even in two bits; unrelated ones have
/// none.
constexpr double min_cosine = 0.5;
constexpr std::size_t max_sampled = 4096; ///< numbers of a matrix, to tell it from others

std::optional<c10::ScalarType> type_of(const StoredWeights& stored) {
  if (stored.dtype == "float32") return c10::kFloat;
  if (stored.dtype == "float16") return c10::kHalf;
  if (stored.dtype == "bfloat16") return c10::kBFloat16;
  return std::nullopt;
}

std::vector<float> numbers_in(const StoredWeights& stored, ByteSource& source) {
  std::string bytes = stored_bytes(stored, source);
  const auto type = type_of(stored).value();
  const auto count = static_cast<std::int64_t>(bytes.size() / c10::elementSize(type));
  const auto tensor = at::from_blob(bytes.data(), {count}, type).to(c10::kFloat);
  return {tensor.const_data_ptr<float>(), tensor.const_data_ptr<float>() + count};
}

/// Row after row, in a dtype that is read.
bool is_plain(const StoredWeights& stored) {
  if (!type_of(stored)) return false;
  std::uint64_t stride = 1;
  for (std::size_t d = stored.strides.size(); d-- > 0; stride *= stored.shape[d])
    if (stored.strides[d] != stride) return false;
  return true;
}

/// The rows of a tensor: what lies at each index of its first axis that is longer than one.
template <class Sizes> std::int64_t rows_in(const Sizes& sizes) {
  std::size_t first = 0;
  while (first + 2 < sizes.size() && sizes[first] == 1) ++first;
  return sizes.empty() ? 1 : static_cast<std::int64_t>(sizes[first]);
}

/// Of more axes than two, besides leading ones of length one, the rest is not turned.
template <class Sizes> bool can_be_turned(const Sizes& sizes) {
  return std::ranges::count_if(sizes, [](auto size) { return size != 1; }) <= 2;
}

std::vector<float> turned(const std::vector<float>& numbers, std::int64_t rows,
                          std::int64_t columns) {
  const auto matrix = at::from_blob(const_cast<float*>(numbers.data()), {rows, columns});
  const auto other = matrix.t().contiguous();
  return {other.data_ptr<float>(), other.data_ptr<float>() + other.numel()};
}

bool fits(const FewBitWeight& weight, std::int64_t rows, std::int64_t columns, bool is_turned) {
  const auto own = rows_in(weight.sizes);
  const auto others =
      static_cast<std::int64_t>(weight.numbers.size()) / std::max<std::int64_t>(own, 1);
  if (!is_turned) return rows == own && columns == others;
  return can_be_turned(weight.sizes) && rows == others && columns == own;
}

/// Which numbers of a matrix tell it from others: every so many.
std::size_t step_through(std::size_t count) {
  return std::max<std::size_t>(1, count / max_sampled) | 1U;
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

/// Of these numbers, the cosine of two matrices; of several that point alike, the one of the same
/// length comes first.
double likeness(const FewBitWeight& weight, const std::vector<float>& other) {
  double product = 0, one = 0, two = 0;
  const std::size_t step = step_through(weight.numbers.size());
  for (std::size_t i = 0; i < other.size(); ++i) {
    const double x = weight.numbers[i * step], y = other[i];
    product += x * y;
    one += x * x;
    two += y * y;
  }
  if (!(one > 0 && two > 0)) return 0;
  constexpr double less_for_length = 0.001;
  return product / std::sqrt(one * two) -
         less_for_length * std::min(1.0, std::fabs(std::log(one / two)));
}

/// Consecutive numbers with one step, as those of a block or a row have.
class StepGroups {
public:
  void add(float step, double steps) {
    if (step != step_) squares_ = count_ = 0;
    step_ = step;
    squares_ += steps * steps;
    ++count_;
    if (count_ >= enough) greatest_ = std::max(greatest_, std::sqrt(squares_ / count_));
  }
  double greatest() const { return greatest_; } ///< root mean square

private:
  static constexpr double enough = 16;
  float step_ = 0;
  double squares_ = 0, count_ = 0, greatest_ = 0;
};

/// What has fewer axes than a matrix is added to results.
bool is_bias(const FewBitWeight& weight) { return weight.sizes.size() < 2; }

/// Stored in so many steps that rounding to them is that of floats, as a single number is, whose
/// scale is its own.
bool is_exact(const FewBitWeight& weight) {
  constexpr float steps_of_few_bits = 1 << 15;
  for (std::size_t i = 0; i < weight.numbers.size(); ++i)
    if (std::fabs(weight.numbers[i]) > steps_of_few_bits * weight.steps[i]) return true;
  return weight.numbers.size() == 1;
}

/// What rounding to steps does not explain; empty where it explains all. Numbers at an end of the
/// steps may stand for any beyond it, but in a bias, of which nobody cuts the largest off on
/// purpose.
std::string misfit_of(const FewBitWeight& weight, const std::vector<float>& own) {
  const Limits limits;
  double squares = 0, worst = 0;
  std::size_t at = 0;
  StepGroups groups;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double difference = static_cast<double>(own[i]) - weight.numbers[i];
    const bool is_right = own[i] == weight.numbers[i] || // infinities, too
                          (!is_bias(weight) && weight.ends[i] * difference > 0);
    const double steps = // infinite where steps have no size
        is_right ? 0 : std::fabs(difference) / weight.steps[i];
    if (steps > worst) at = i;
    worst = std::max(worst, steps);
    squares += steps * steps;
    groups.add(weight.steps[i], steps);
  }
  const double mean = std::sqrt(squares / static_cast<double>(std::max(own.size(), 1UL)));
  if (worst <= limits.steps_of_number && mean <= limits.steps_of_weight &&
      groups.greatest() <= limits.steps_of_group)
    return {};
  return "its numbers are off by " + number(mean, 2) +
         " steps (root mean square), where rounding leaves 0.29, by " +
         number(std::max(mean, groups.greatest()), 2) +
         " in the worst group with one scale, and by " + number(worst, 3) +
         " at most: " + number(weight.numbers[at]) + " for " + number(own[at]);
}

double squared_distance(const std::vector<float>& one, const std::vector<float>& other) {
  double squares = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double difference = static_cast<double>(one[i]) - other[i];
    squares += difference * difference;
  }
  return squares;
}

} // namespace

void OwnWeights::read() {
  if (is_read_) return;
  is_read_ = true;
  for (const StoredWeights& stored : list_named_weights(reference_)) {
    if (!is_plain(stored)) continue;
    const auto numbers = numbers_in(stored, source_);
    const std::int64_t rows = rows_in(stored.shape);
    if (numbers.empty() || rows == 0) continue;
    const auto columns = static_cast<std::int64_t>(numbers.size()) / rows;
    matrices_.push_back({rows,
                         columns,
                         stored.name,
                         stored,
                         some_of(numbers, rows, columns, false),
                         some_of(numbers, rows, columns, true),
                         {}});
  }
}

void OwnWeights::add_made(const std::string& name, const std::vector<double>& numbers,
                          std::int64_t rows) {
  if (rows == 0 || numbers.empty()) return;
  const std::vector<float> made(numbers.begin(), numbers.end());
  const auto columns = static_cast<std::int64_t>(made.size()) / rows;
  matrices_.push_back({rows,
                       columns,
                       name,
                       {},
                       some_of(made, rows, columns, false),
                       some_of(made, rows, columns, true),
                       made});
}

void OwnWeights::add_folded(const ReadModel& reference) {
  read();
  for (const auto& layer : folded_layers(reference))
    for (const LoadedTensor& each : {layer.at(0), layer.at(1)})
      add_made(each.tensor.name, each.numbers.values, rows_in(each.numbers.shape));
  for (OpId op = 0; op < reference.graph.op_count(); ++op) {
    if (!is_batch_norm(reference.graph.op(op))) continue;
    const auto factors = factors_of(reference, op);
    if (!factors) continue;
    const auto channels = static_cast<std::int64_t>(factors->factor.size());
    add_made("", factors->factor, channels);
    add_made("", factors->shift, channels);
  }
}

std::vector<float> OwnWeights::numbers_of(const Matrix& matrix) {
  return matrix.stored ? numbers_in(*matrix.stored, source_) : matrix.made;
}

/// Quantisers put words behind it: `w_quantized`, `w_Q4`.
OwnWeights::Match OwnWeights::with_its_name(const FewBitWeight& weight) const {
  Match found;
  for (const Matrix& matrix : matrices_) {
    const std::string& name = matrix.name;
    const bool has_it = !name.empty() && weight.name.starts_with(name) &&
                        (weight.name.size() == name.size() || weight.name[name.size()] == '_');
    if (!has_it || (found.matrix != nullptr && found.matrix->name.size() > name.size())) continue;
    for (const bool is_turned :
         {true, false}) // a square one lies as it is, unless it is alike turned
      if (fits(weight, matrix.rows, matrix.columns, is_turned)) found = {&matrix, is_turned};
  }
  if (found.matrix == nullptr || !can_be_turned(weight.sizes)) return found;
  const Matrix& matrix = *found.matrix;
  if (fits(weight, matrix.rows, matrix.columns, true))
    found.is_turned = !fits(weight, matrix.rows, matrix.columns, false) ||
                      likeness(weight, matrix.turned) > likeness(weight, matrix.as_it_lies);
  return found;
}

double OwnWeights::likeness_to(const FewBitWeight& weight, const Match& match) {
  if (match.matrix == nullptr) return 0;
  return likeness(weight, match.is_turned ? match.matrix->turned : match.matrix->as_it_lies);
}

OwnWeights::Match OwnWeights::most_similar(const FewBitWeight& weight, Match best) const {
  double most = std::max(min_cosine, likeness_to(weight, best));
  for (const Matrix& matrix : matrices_)
    for (const bool is_turned : {false, true}) {
      if (!fits(weight, matrix.rows, matrix.columns, is_turned)) continue;
      const double found = likeness_to(weight, {&matrix, is_turned});
      if (!(found > most)) continue;
      most = found;
      best = {&matrix, is_turned};
    }
  return best;
}

OwnWeights::Match OwnWeights::only_one_left(const FewBitWeight& weight) const {
  Match found;
  // What an exporter worked out has as many numbers as some weight by chance, but other axes.
  const auto has_its_axes = [&](const Matrix& matrix) {
    return !matrix.stored || matrix.stored->shape.size() == weight.sizes.size();
  };
  for (const Matrix& matrix : matrices_)
    for (const bool is_turned : {false, true}) {
      if (taken_.count(&matrix) != 0 || !has_its_axes(matrix) ||
          !fits(weight, matrix.rows, matrix.columns, is_turned))
        continue;
      const bool is_square = matrix.rows == matrix.columns;
      if (is_square && is_turned != (turned_ > 0)) continue; // a file stores all in one way
      if (found.matrix != nullptr) return {};
      found = {&matrix, is_turned};
    }
  return found;
}

void OwnWeights::begin_again() {
  is_again_ = true;
  missing_ = 0;
  misfits_.clear();
}

/// A vector has too few numbers to be told from others by its direction: whichever it may be the
/// rounding of is as good, and the nearest best.
std::vector<float> OwnWeights::vector_that_fits(const FewBitWeight& weight) {
  const auto count = static_cast<std::int64_t>(weight.numbers.size());
  std::vector<float> nearest;
  double least = std::numeric_limits<double>::infinity();
  for (const Matrix& matrix : matrices_) {
    if (matrix.rows * matrix.columns != count) continue;
    std::vector<float> own = numbers_of(matrix);
    const double distance = squared_distance(weight.numbers, own);
    if (!(distance < least) || !misfit_of(weight, own).empty()) continue;
    least = distance;
    nearest = std::move(own);
  }
  return nearest;
}

std::vector<float> OwnWeights::of_vector(const FewBitWeight& weight) {
  if (const Match named = with_its_name(weight); named.matrix != nullptr) {
    std::vector<float> own = numbers_of(*named.matrix);
    if (misfit_of(weight, own).empty()) return own;
  }
  std::vector<float> own = vector_that_fits(weight);
  if (own.empty() && !weight.is_moved && !is_exact(weight)) ++missing_;
  return own; // none is another number, not a rounded one
}

std::vector<float> OwnWeights::of(const FewBitWeight& weight) {
  read();
  if (is_bias(weight)) return of_vector(weight);
  // Exporters number weights, and so give a name to others.
  Match match = most_similar(weight, with_its_name(weight));
  const bool is_like = match.matrix != nullptr;
  if (!is_like && is_again_) match = only_one_left(weight);
  if (is_like) {
    taken_.insert(match.matrix);
    turned_ += match.is_turned ? 1 : -1;
  }
  if (match.matrix == nullptr) {
    ++missing_;
    return {};
  }
  const Matrix& matrix = *match.matrix;
  std::vector<float> own = numbers_of(matrix);
  if (match.is_turned) own = turned(own, matrix.rows, matrix.columns);
  std::string words = misfit_of(weight, own);
  if (words.empty()) return own;
  if (leaves_misfits_) {
    ++missing_;
    return {};
  }
  const bool has_its_name = weight.name.starts_with(matrix.name);
  misfits_.push_back({weight.layer, has_its_name ? "" : matrix.name, std::move(words)});
  return own;
}

namespace {

StoredWeightsFit fit(OwnWeights& own, const std::filesystem::path& program) {
  StoredWeightsFit found;
  visit_xnnpack_weights(program, [&](const FewBitWeight& weight) {
    ++found.stored;
    if (!own.of(weight).empty()) ++found.fitting;
  });
  found.misfits = own.misfits();
  found.fitting -= found.misfits.size();
  return found;
}

} // namespace

StoredWeightsFit fit_stored_weights(const ModelFile& reference,
                                    const std::filesystem::path& program) {
  OwnWeights own(reference.path);
  StoredWeightsFit found = fit(own, program);
  if (found.fitting == found.stored) return found;
  own.add_folded(ReadModel(reference.path, reference.options));
  own.begin_again();
  return fit(own, program);
}

} // namespace model_validator::verify
