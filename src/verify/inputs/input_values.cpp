#include "verify/inputs/input_values.h"

#include "verify/inputs/bound_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace model_validator::verify {
namespace {

/// A place in a tensor [batch, …, elements].
struct Place {
  std::int64_t sequence = 0; ///< which of the batch
  std::int64_t query = 0;    ///< along the last dimension but one
  std::int64_t element = 0;  ///< along the last
};

Place place_of(std::int64_t index, const Shape& shape) {
  Place place;
  if (shape.empty()) return place;
  place.element = index % shape.back();
  if (shape.size() < 2) return place;
  place.query = index / shape.back() % shape[shape.size() - 2];
  std::int64_t inner = 1;
  for (std::size_t d = 1; d < shape.size(); ++d) inner *= shape[d];
  place.sequence = index / inner;
  return place;
}

std::int64_t count_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Fills a tensor with what a function gives for each index.
template <class Give> Tensor made_of(DType dtype, const Shape& shape, Give give) {
  const std::int64_t count = count_of(shape);
  std::vector<double> numbers;
  numbers.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<double>(give(i)));
  return tensor_of(dtype, shape, numbers);
}

class Maker {
public:
  Maker(const InputNeed& need, DType dtype, const Shape& shape, const Scene& scene,
        std::uint64_t seed)
      : need_(need), dtype_(dtype), shape_(shape), scene_(scene), seed_(seed) {}

  Tensor rows() const {
    const std::int64_t rows = need_.meaning.rows;
    if (rows <= 0) return random_tensor(dtype_, shape_, seed_);
    if (scene_.first_row >= 0)
      return made_of(dtype_, shape_, [&](std::int64_t i) { return (scene_.first_row + i) % rows; });
    const std::vector<double> numbers = drawn();
    const std::int64_t count = count_of(shape_);
    // The first and the last row, where there is room for more than them.
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      if (count > 2 && i == 1) return static_cast<double>(rows - 1);
      return count > 2 && i == 2 ? 0.0 : numbers[static_cast<std::size_t>(i)];
    });
  }

  Tensor mask(double yes, double no) const {
    const bool two = shape_.size() > 2;
    const std::int64_t keys = shape_.empty() ? 0 : shape_.back();
    const std::int64_t queries = two ? shape_[shape_.size() - 2] : 1;
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      const Place place = place_of(i, shape_);
      // A query sees what comes before it.
      const bool ahead = two && queries > 1 && place.element > place.query + keys - queries;
      const bool padded =
          shape_.size() > 1 && is_last(place) && is_padding(scene_, place.element, keys);
      return ahead || padded ? no : yes;
    });
  }

  Tensor positions() const {
    const std::int64_t most =
        need_.meaning.rows > 0 ? need_.meaning.rows - 1 : std::numeric_limits<std::int64_t>::max();
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      const Place place = place_of(i, shape_);
      std::int64_t at = scene_.past + place.element;
      if (scene_.padding == Padding::left && shape_.size() > 1 && is_last(place))
        at = std::max<std::int64_t>(at - scene_.padded, 0);
      return std::min(at, most);
    });
  }

  Tensor last_positions() const {
    const std::int64_t batch = shape_.empty() ? 1 : shape_.front();
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      const bool padded = scene_.padding != Padding::none && i == batch - 1;
      return scene_.past + scene_.sequence - 1 - (padded ? scene_.padded : 0);
    });
  }

  /// One less for each sequence: recurrent layers want the longest first.
  Tensor lengths() const {
    const std::int64_t cut = scene_.padding == Padding::none ? 0 : scene_.padded;
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      return std::max<std::int64_t>(scene_.longest - cut - i, 1);
    });
  }

  Tensor padding_mask() const { return need_.meaning.hides ? mask(0, 1) : mask(1, 0); }

  Tensor plain() const {
    const auto& range = need_.meaning.calibrated;
    return range && !is_integral(dtype_) ? calibrated(*range)
                                         : random_tensor(dtype_, shape_, seed_);
  }

  Tensor pixels() const {
    const bool bytes = is_integral(dtype_) && dtype_ != DType::bool_;
    return bytes ? random_tensor(dtype_, shape_, seed_, ValueRange{0, 255}) : plain();
  }

  /// A ring is random as far as it is filled.
  Tensor kept() const {
    if (!need_.meaning.ring) return random_tensor(dtype_, shape_, seed_);
    const std::int64_t size = shape_.empty() ? 1 : shape_.back();
    const std::int64_t slots = shape_.size() < 2 ? 1 : shape_[shape_.size() - 2];
    const std::vector<double> numbers = numbers_of(DType::float64, {});
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      return i / size % slots < scene_.past ? numbers[static_cast<std::size_t>(i)] : 0.0;
    });
  }

  /// Within what a copy was calibrated for, and like its data: the ends of such a range are seldom
  /// met.
  Tensor calibrated(const ValueRange& range) const {
    constexpr double deviations = 8; // from one end to the other
    const double middle = (range.low + range.high) / 2;
    const double deviation = (range.high - range.low) / deviations;
    const std::vector<double> numbers = numbers_of(DType::float64, {});
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      return std::clamp(middle + deviation * numbers[static_cast<std::size_t>(i)], range.low,
                        range.high);
    });
  }

  Tensor everywhere(double number) const {
    return made_of(dtype_, shape_, [&](std::int64_t) { return number; });
  }

  /// The first half one number, the second the limits in patches.
  Tensor saturated(const std::optional<ValueRange>& range) const {
    const bool whole = is_integral(dtype_);
    const double low = range ? range->low : whole ? 0 : -3;
    const double high = range ? range->high : whole ? 255 : 3;
    const double middle = whole ? std::floor((low + high) / 2) : (low + high) / 2;
    constexpr std::int64_t patch = 3;
    const std::int64_t width = shape_.empty() ? 1 : shape_.back();
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      const Place place = place_of(i, shape_);
      if (place.element < width / 2) return middle;
      return (place.element / patch + place.query / patch) % 2 == 0 ? high : low;
    });
  }

  /// Beside them usual ones, where there is room. Nothing is left of the first row but NaN.
  Tensor of(const std::vector<double>& values) const {
    const std::int64_t elements = count_of(shape_);
    if (dtype_ == DType::bool_ && elements > 1) return all_of_one();
    const std::vector<double> usual = drawn();
    const auto count = static_cast<std::int64_t>(values.size());
    const bool mixed = elements > 2 * count;
    const std::int64_t first = mixed ? 0 : static_cast<std::int64_t>(scene_.round) * elements;
    const bool has_rows = shape_.size() > 1 && shape_.back() < elements;
    const std::int64_t of_nan = has_rows && std::isnan(values.front()) ? shape_.back() : 0;
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      if (i < of_nan) return values.front();
      if (mixed && i % 2 == 1) return usual[static_cast<std::size_t>(i)];
      return values[static_cast<std::size_t>((first + (mixed ? i / 2 : i)) % count)];
    });
  }

  /// The first rows false, the others true.
  Tensor all_of_one() const {
    const std::int64_t rows = shape_.front(), inner = count_of(shape_) / rows;
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      return (rows > 1 ? i / inner >= rows / 2 : scene_.round % 2 == 1) ? 1 : 0;
    });
  }

  /// Large in one part, small in another: of the batch, else of the longest dimension.
  Tensor of_other_magnitudes() const {
    constexpr double large = 8, small = 1.0 / 128;
    if (shape_.empty())
      return made_of(dtype_, shape_, [&](std::int64_t) { return large * drawn()[0]; });
    const auto longest = std::ranges::max_element(shape_);
    const auto along = shape_.front() > 1 ? shape_.begin() : longest;
    const std::int64_t inner = count_of(Shape(along + 1, shape_.end())), size = *along;
    const std::vector<double> usual = drawn();
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      return usual[static_cast<std::size_t>(i)] * (i / inner % size < size / 2 ? large : small);
    });
  }

  Tensor of_one_sign() const {
    const double sign = scene_.round % 2 == 0 ? 1 : -1;
    if (dtype_ == DType::bool_)
      return made_of(dtype_, shape_, [&](std::int64_t) { return sign > 0 ? 1.0 : 0.0; });
    const std::vector<double> usual = drawn();
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      return sign * std::abs(usual[static_cast<std::size_t>(i)]);
    });
  }

  /// Corners of boxes of which many overlap, or what an activation makes such corners of.
  Tensor overlapping_boxes() const {
    constexpr double apart = 10, size = 6, moved = 3;
    constexpr std::int64_t together = 4, corners = 4, origin = 2;
    constexpr double end = 3; // beyond it a sigmoid is flat
    const std::vector<double> drawn = numbers_of(DType::float64, ValueRange{0, moved});
    const double most = apart * static_cast<double>(count_of(shape_) / corners / together + 1);
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      const double group = apart * static_cast<double>(i / corners / together);
      const double corner =
          group + (i % corners < origin ? 0 : size) + drawn[static_cast<std::size_t>(i)];
      return need_.meaning.activated_boxes ? end * (2 * corner / most - 1) : corner;
    });
  }

private:
  /// @param dtype  float64 or int64
  std::vector<double> numbers_of(DType dtype, const std::optional<ValueRange>& range) const {
    const Tensor drawn = random_tensor(dtype, shape_, seed_, range);
    std::vector<double> numbers(static_cast<std::size_t>(count_of(shape_)));
    const auto* reals = static_cast<const double*>(drawn.view.data);
    const auto* whole = static_cast<const std::int64_t*>(drawn.view.data);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = dtype == DType::float64 ? reals[i] : static_cast<double>(whole[i]);
    return numbers;
  }

  /// Usual values, as numbers.
  std::vector<double> drawn() const {
    if (!is_integral(dtype_)) return numbers_of(DType::float64, {});
    const std::int64_t rows = need_.meaning.rows;
    return numbers_of(DType::int64,
                      rows <= 0 ? std::nullopt
                                : std::optional(ValueRange{0, static_cast<double>(rows - 1)}));
  }

  bool is_last(const Place& place) const { return place.sequence == shape_.front() - 1; }

  const InputNeed& need_;
  DType dtype_;
  const Shape& shape_;
  const Scene& scene_;
  std::uint64_t seed_;
};

bool has_limits(InputRole role) { return role == InputRole::image || role == InputRole::sound; }

/// Whether nothing but the graph says what its values may be, which are reals.
bool takes_any_magnitude(const InputNeed& need, DType dtype) {
  const InputRole role = need.meaning.role;
  return is_floating(dtype) && !need.meaning.calibrated &&
         (role == InputRole::unknown || has_limits(role));
}

double lowest(DType dtype) {
  if (dtype == DType::float16) return -65504;
  return -static_cast<double>(std::numeric_limits<float>::max());
}

} // namespace

bool is_padding(const Scene& scene, std::int64_t element, std::int64_t count) {
  if (scene.padding == Padding::left) return element < scene.padded;
  return scene.padding == Padding::right && element >= count - scene.padded;
}

namespace {

/// Of an input whose role decides its values.
Tensor tensor_of_role(const Maker& make, InputRole role, DType dtype, const Scene& scene) {
  switch (role) {
  case InputRole::rows: return make.rows();
  case InputRole::padding_mask: return make.padding_mask();
  case InputRole::added_mask: return make.mask(0, lowest(dtype));
  case InputRole::positions: return make.positions();
  case InputRole::last_positions: return make.last_positions();
  case InputRole::total_length:
    return make.everywhere(static_cast<double>(scene.past + scene.sequence));
  case InputRole::lengths: return make.lengths();
  case InputRole::has_past: return make.everywhere(scene.past > 0 ? 1 : 0);
  case InputRole::cache: return make.kept();
  case InputRole::image: return make.pixels();
  default: return make.plain();
  }
}

} // namespace

Tensor meaningful_tensor(const InputNeed& need, DType dtype, const Shape& shape, const Scene& scene,
                         std::uint64_t seed, const std::optional<ValueRange>& range) {
  const Maker make(need, dtype, shape, scene, seed);
  if (scene.values == Values::saturated && has_limits(need.meaning.role))
    return make.saturated(range);
  if (range) return random_tensor(dtype, shape, seed, range);
  if (const auto values = values_to_try(need, dtype, scene.values); !values.empty())
    return make.of(values);
  const bool chooses = dtype == DType::bool_ && need.meaning.decides;
  if (chooses && scene.values == Values::one_sign) return make.of_one_sign();
  if (takes_any_magnitude(need, dtype)) {
    if (scene.values == Values::magnitudes) return make.of_other_magnitudes();
    if (scene.values == Values::one_sign) return make.of_one_sign();
    if (need.meaning.boxes || need.meaning.activated_boxes) return make.overlapping_boxes();
  }
  return tensor_of_role(make, need.meaning.role, dtype, scene);
}

} // namespace model_validator::verify
