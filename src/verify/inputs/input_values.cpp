#include "verify/inputs/input_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// Fills a tensor with what a function gives for each index.
template <class Give> Tensor made_of(DType dtype, const Shape& shape, Give give) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
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
    const auto last = static_cast<double>(rows - 1);
    if (scene_.first_row >= 0)
      return made_of(dtype_, shape_, [&](std::int64_t i) { return (scene_.first_row + i) % rows; });
    const Tensor drawn = random_tensor(DType::int64, shape_, seed_, ValueRange{0, last});
    const auto* numbers = static_cast<const std::int64_t*>(drawn.view.data);
    std::int64_t count = 1;
    for (const std::int64_t size : shape_) count *= size;
    // The first and the last row, where there is room for more than them.
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      if (count > 2 && i == 1) return rows - 1;
      return count > 2 && i == 2 ? std::int64_t{0} : numbers[i];
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
    const Tensor drawn = random_tensor(DType::float64, shape_, seed_);
    const auto* numbers = static_cast<const double*>(drawn.view.data);
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      return i / size % slots < scene_.past ? numbers[i] : 0.0;
    });
  }

  /// Within what a copy was calibrated for, and like its data: the ends of such a range are seldom
  /// met.
  Tensor calibrated(const ValueRange& range) const {
    constexpr double deviations = 8; // from one end to the other
    const double middle = (range.low + range.high) / 2;
    const double deviation = (range.high - range.low) / deviations;
    const Tensor drawn = random_tensor(DType::float64, shape_, seed_);
    const auto* numbers = static_cast<const double*>(drawn.view.data);
    return made_of(dtype_, shape_, [&](std::int64_t i) {
      return std::clamp(middle + deviation * numbers[i], range.low, range.high);
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

private:
  bool is_last(const Place& place) const { return place.sequence == shape_.front() - 1; }

  const InputNeed& need_;
  DType dtype_;
  const Shape& shape_;
  const Scene& scene_;
  std::uint64_t seed_;
};

bool has_limits(InputRole role) { return role == InputRole::image || role == InputRole::sound; }

double lowest(DType dtype) {
  if (dtype == DType::float16) return -65504;
  return -static_cast<double>(std::numeric_limits<float>::max());
}

} // namespace

bool is_padding(const Scene& scene, std::int64_t element, std::int64_t count) {
  if (scene.padding == Padding::left) return element < scene.padded;
  return scene.padding == Padding::right && element >= count - scene.padded;
}

Tensor meaningful_tensor(const InputNeed& need, DType dtype, const Shape& shape, const Scene& scene,
                         std::uint64_t seed, const std::optional<ValueRange>& range) {
  const Maker make(need, dtype, shape, scene, seed);
  if (scene.saturated && has_limits(need.meaning.role)) return make.saturated(range);
  if (range) return random_tensor(dtype, shape, seed, range);
  switch (need.meaning.role) {
  case InputRole::rows: return make.rows();
  case InputRole::padding_mask: return make.padding_mask();
  case InputRole::added_mask: return make.mask(0, lowest(dtype));
  case InputRole::positions: return make.positions();
  case InputRole::last_positions: return make.last_positions();
  case InputRole::total_length:
    return make.everywhere(static_cast<double>(scene.past + scene.sequence));
  case InputRole::has_past: return make.everywhere(scene.past > 0 ? 1 : 0);
  case InputRole::cache: return make.kept();
  case InputRole::image: return make.pixels();
  default: return make.plain();
  }
}

} // namespace model_validator::verify
