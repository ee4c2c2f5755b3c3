#include "verify/compare/scale_parts.h"

#include "verify/compare/words.h"

#include <algorithm>
#include <optional>

namespace model_validator::verify {

namespace {

/// No distribution of values leaves so many powers of two empty above several of them,
constexpr std::size_t empty_octaves = 6;
constexpr std::int64_t several = 4;
/// nor so many above any: those above are sentinels.
constexpr std::size_t octaves_below_sentinels = 20;
/// Places along an axis whose largest values are within this factor have one scale.
constexpr double one_scale = 4;
/// Zeros beside fewer values than one in so many are the rule, not small values.
constexpr std::int64_t few = 64;

/// Neighbouring octaves: values that belong together.
struct Neighbourhood {
  double honest_share;
  ScaleGroup large{};
  ScaleGroup small{}; ///< less than the honest share of the largest

  std::int64_t count() const { return large.count + small.count; }
  double scale() const { return large.scale; }
  void add(const ScaleGroup& octave) {
    (octave.scale >= honest_share * scale() ? large : small).add(octave);
  }
};

class Parts {
public:
  Parts(const ScaleProfile& profile, double honest_share)
      : profile_(profile), honest_share_(honest_share) {
    find_neighbourhoods();
    if (!hoods_.empty()) greatest_ = hoods_.front().scale();
  }

  std::vector<ScalePart> all() {
    if (hoods_.empty()) return {}; // zeros have no scale
    add_zeros();
    for (std::size_t i = 0; i < hoods_.size(); ++i) {
      const Neighbourhood& hood = hoods_[i];
      if (i > 0) add(hood.large, hood.scale(), "");
      if (hood.small.count >= several) add(hood.small, honest_share_ * hood.scale(), "");
    }
    for (std::size_t axis = 0; axis < profile_.by_axis.size(); ++axis) add_axis(axis);
    return std::move(parts_);
  }

private:
  std::int64_t elements_below(std::size_t octave) const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < octave; ++i) count += profile_.by_octave[i].count;
    return count;
  }

  /// From the largest values to the smallest.
  void find_neighbourhoods() {
    std::size_t empty = 0;
    for (std::size_t i = profile_.by_octave.size(); i-- > 0;) {
      const ScaleGroup& octave = profile_.by_octave[i];
      if (octave.count == 0) {
        ++empty;
        continue;
      }
      const bool is_apart = empty >= octaves_below_sentinels ||
                            (empty >= empty_octaves && elements_below(i + 1) >= several);
      if (hoods_.empty() || is_apart) hoods_.push_back({honest_share_});
      hoods_.back().add(octave);
      empty = 0;
    }
  }

  /// Zeros are small values of the smallest neighbourhood, unless they are what the output
  /// consists of.
  void add_zeros() {
    const ScaleGroup& zeros = profile_.zeros;
    if (zeros.count == 0) return;
    if (hoods_.back().count() * few < zeros.count)
      add(zeros, 0, "");
    else
      hoods_.back().small.add(zeros);
  }

  void add(const ScaleGroup& group, double scale, const std::string& name) {
    parts_.push_back({group, scale, greatest_, name});
  }

  /// Places with like scales share one, the largest of them.
  void add_axis(std::size_t axis) {
    const auto& groups = profile_.by_axis[axis];
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < groups.size(); ++i)
      if (groups[i].count > 0) places.push_back(i);
    std::ranges::stable_sort(
        places, [&](std::size_t x, std::size_t y) { return groups[x].scale > groups[y].scale; });
    double shared = greatest_, last = greatest_;
    for (const std::size_t place : places) {
      const double own = groups[place].scale;
      if (own != 0 && own * one_scale <= last) shared = own;
      const double scale = std::min(shared, std::max(one_scale * own, honest_share_ * shared));
      if (scale < greatest_)
        add(groups[place], scale,
            "index " + std::to_string(place) + " of axis " + std::to_string(axis));
      last = own;
    }
  }

  const ScaleProfile& profile_;
  double honest_share_;
  std::vector<Neighbourhood> hoods_;
  double greatest_ = 0;
  std::vector<ScalePart> parts_;
};

} // namespace

std::vector<ScalePart> scale_parts(const ScaleProfile& profile, double honest_share) {
  return Parts(profile, honest_share).all();
}

} // namespace model_validator::verify
