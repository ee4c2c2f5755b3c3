#include "introspection/tensor_difference.h"

#include "text/numbers.h"
#include "text/plural.h"
#include "text/separators.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace model_validator {
namespace {

constexpr double tolerated_steps = 0.51; ///< rounding to the nearest leaves half a step
constexpr double clear_cut = 4;          ///< steps beyond the last one
constexpr double explains = 0.5;         ///< of the difference is left
constexpr std::size_t max_slices = 4096; ///< that are compared with one another

double step_at(const TensorNumbers& numbers, std::size_t i) {
  return numbers.steps.empty() ? 0 : numbers.steps[numbers.channel_of(i) % numbers.steps.size()];
}

/// What a number of the reference and the candidate's may be apart.
double allowed_between(const TensorNumbers& reference, const TensorNumbers& candidate,
                       double greatest, std::size_t own, std::size_t other) {
  const double relative = reference.relative + candidate.relative;
  return relative * std::abs(reference.values[own]) + tolerated_steps * step_at(candidate, other) +
         rounding_of_folding * greatest + (relative > 0 ? 0x1p-23 : 0);
}

/// What a scale or a zero point of its own would make of the values of a channel.
struct Channel {
  double ab = 0, bb = 0, aa = 0, a = 0, b = 0, count = 0, differing = 0;

  void see(double one, double other) {
    ab += one * other;
    bb += other * other;
    aa += one * one;
    a += one;
    b += other;
    ++count;
  }
  double factor() const { return bb > 0 ? ab / bb : 0; }
  double offset() const { return (a - b) / count; }
  double squares() const { return std::max(0.0, aa - 2 * ab + bb); }
  double squares_scaled() const { return std::max(0.0, aa - factor() * ab); }
  double squares_moved() const { return std::max(0.0, squares() - count * offset() * offset()); }
  bool is_explained_by(double rest) const { return rest <= explains * explains * squares(); }
};

class Difference {
public:
  Difference(const TensorNumbers& reference, const TensorNumbers& candidate)
      : a_(reference), b_(candidate), greatest_(greatest_of(reference.values)) {}

  TensorDifference find(Explained explained) {
    look();
    const std::size_t differing = differing_.size() + cut_;
    if (explained == Explained::no) return {differing, differing == 0 ? "" : "differs"};
    return {differing, words()};
  }

private:
  std::string words() const {
    const bool most_are_cut = cut_ > 0 && cut_ >= differing_.size();
    if (most_are_cut && greatest_cut_ >= greatest_difference_) return words_about_cut();
    if (differing_.empty()) return {};
    for (const auto& explain :
         {&Difference::words_about_steps, &Difference::words_about_factor,
          &Difference::words_about_order, &Difference::words_about_most_factors})
      if (std::string words = (this->*explain)(); !words.empty()) return words;
    return plain_words();
  }

  void look() {
    for (std::size_t i = 0; i < b_.values.size(); ++i) {
      const double one = a_.values[i], other = b_.values[i];
      const double apart = std::abs(one - other);
      Channel& channel = channels_[b_.channel_of(i)];
      channel.see(one, other);
      if (is_rounding(a_, b_, greatest_, i, i)) continue;
      if (is_cut(i)) {
        if (apart <= clear_cut * step_at(b_, i)) continue;
        ++cut_;
        greatest_cut_ = std::max(greatest_cut_, apart);
        continue;
      }
      differing_.push_back(i);
      ++channel.differing;
      greatest_difference_ = std::max(greatest_difference_, std::isnan(apart) ? INFINITY : apart);
    }
  }

  double allowed_at(std::size_t i) const { return allowed_between(a_, b_, greatest_, i, i); }
  /// What quantisers cut off on purpose lies beyond the last number that there is.
  bool is_cut(std::size_t i) const {
    return i < b_.at_the_last.size() && b_.at_the_last[i] &&
           std::abs(a_.values[i]) > std::abs(b_.values[i]);
  }

  std::string words_about_cut() const {
    std::size_t most = 0;
    for (std::size_t i = 1; i < b_.values.size(); ++i)
      if (cut_off_of(i) > cut_off_of(most)) most = i;
    return "is cut off in " + of_all(cut_, b_.values.size(), "number") + ": the last that its " +
           "dtype and scale can say is " + short_number(std::abs(b_.values[most]), 4) +
           ", where the reference has " + short_number(std::abs(a_.values[most]), 4);
  }
  double cut_off_of(std::size_t i) const {
    return is_cut(i) ? std::abs(a_.values[i] - b_.values[i]) : 0;
  }

  std::vector<std::size_t> differing_channels() const {
    std::vector<std::size_t> found;
    for (const auto& [number, channel] : channels_)
      if (channel.differing > 0) found.push_back(number);
    return found;
  }

  std::string in_channels(const std::vector<std::size_t>& channels) const {
    if (channels_.size() == 1) return "";
    if (channels.size() == 1) return " in channel " + std::to_string(channels.front());
    return " in " + of_all(channels.size(), channels_.size(), "channel");
  }

  /// Of a quantised tensor: its scale, or its zero point.
  std::string words_about_steps() const {
    constexpr double enough_values = 4; // to tell a scale from single wrong numbers
    if (b_.steps.empty() || channels_.begin()->second.count < enough_values) return {};
    const auto channels = differing_channels();
    const auto explained = [&](auto rest) {
      return std::ranges::all_of(channels, [&](std::size_t number) {
        const Channel& channel = channels_.at(number);
        return channel.is_explained_by((channel.*rest)());
      });
    };
    const Channel& first = channels_.at(channels.front());
    const double step = b_.steps[channels.front() % b_.steps.size()];
    if (explained(&Channel::squares_moved) && step > 0 &&
        std::abs(first.offset()) >= tolerated_steps * step)
      return "has a zero point that is off by " +
             short_number(std::round(first.offset() / step), 4) + in_channels(channels);
    if (explained(&Channel::squares_scaled) && first.factor() != 0)
      return "has a scale that is off" + in_channels(channels) + ": " +
             short_number(1 / first.factor(), 4) + " times what its numbers ask for" +
             (channels.size() > 1 ? " in channel " + std::to_string(channels.front()) : "");
    return {};
  }

  /// All of it is the reference's times a number.
  std::string words_about_factor() const {
    Channel all;
    for (std::size_t i = 0; i < b_.values.size(); ++i) all.see(a_.values[i], b_.values[i]);
    constexpr double exactly = 1e-4;
    if (b_.values.size() < 2 || all.factor() == 0 ||
        all.squares_scaled() > exactly * std::min(all.squares(), all.aa))
      return {};
    return "is " + short_number(1 / all.factor(), 4) + " times the reference's";
  }

  struct Slices {
    std::size_t count, stride, length;
    std::size_t at(std::size_t slice, std::size_t i) const {
      return i / stride * stride * count + slice * stride + i % stride;
    }
  };
  Slices slices_along(std::size_t axis) const {
    std::size_t stride = 1;
    for (std::size_t i = axis + 1; i < b_.shape.size(); ++i) stride *= b_.shape[i];
    return {static_cast<std::size_t>(b_.shape[axis]), stride, b_.values.size() / b_.shape[axis]};
  }

  /// What a number is of the reference's, where that one is no small one.
  std::vector<double> ratios() const {
    std::vector<double> found;
    for (std::size_t i = 0; i < b_.values.size(); ++i)
      if (std::abs(a_.values[i]) > greatest_ / 16 && std::isfinite(b_.values[i]))
        found.push_back(b_.values[i] / a_.values[i]);
    return found;
  }

  /// Nearly all of it is the reference's times a number, as where a constant is folded into it: the
  /// rest is what differs.
  std::string words_about_most_factors() const {
    constexpr std::size_t enough = 16, part_of_rest = 8;
    auto found = ratios();
    if (found.size() < enough || differing_.size() < b_.values.size() / 2) return {};
    const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
    std::ranges::nth_element(found, middle);
    const double factor = *middle;
    std::size_t others = 0;
    for (std::size_t i = 0; i < b_.values.size(); ++i)
      if (!(std::abs(b_.values[i] - factor * a_.values[i]) <=
            std::abs(factor) * (allowed_at(i) + rounding_of_folding * greatest_)))
        ++others;
    if (factor == 0 || others > b_.values.size() / part_of_rest) return {};
    return "is " + short_number(factor, 4) + " times the reference's, but for " +
           of_all(others, b_.values.size(), "number");
  }

  bool is_slice(const Slices& slices, std::size_t own, std::size_t other) const {
    for (std::size_t i = 0; i < slices.length; ++i) {
      const std::size_t at = slices.at(other, i), here = slices.at(own, i);
      // NaN is like nothing.
      if (!(std::abs(a_.values[at] - b_.values[here]) <= allowed_at(at) + allowed_at(here)))
        return false;
    }
    return true;
  }

  /// Which of the reference's slices these are; empty unless each is another one.
  std::vector<std::size_t> origins_of(const Slices& slices,
                                      const std::set<std::size_t>& own) const {
    std::vector<std::size_t> origins;
    for (const std::size_t each : own)
      for (std::size_t other = 0; other < slices.count; ++other)
        if (other != each && is_slice(slices, each, other)) {
          origins.push_back(other);
          break;
        }
    return origins.size() == own.size() ? origins : std::vector<std::size_t>{};
  }

  /// Its rows or columns are the reference's in another order.
  std::string words_about_order() const {
    for (std::size_t axis = 0; axis < std::min<std::size_t>(2, b_.shape.size()); ++axis) {
      const Slices slices = slices_along(axis);
      if (slices.count < 2 || slices.count > max_slices) continue;
      std::set<std::size_t> wrong;
      for (const std::size_t i : differing_) wrong.insert(i / slices.stride % slices.count);
      if (wrong.size() < 2) continue;
      const auto origins = origins_of(slices, wrong);
      if (!origins.empty())
        return "holds " + of_all(wrong.size(), slices.count, "slice") + " along axis " +
               std::to_string(axis) + " in another order: " + std::to_string(*wrong.begin()) +
               " is the reference's " + std::to_string(origins.front());
    }
    return {};
  }

  std::string plain_words() const {
    std::string words = "differs in " + of_all(differing_.size(), b_.values.size(), "number");
    if (b_.shape.size() > 1) {
      const Slices rows = slices_along(0);
      const std::size_t row = differing_.front() / rows.stride;
      const bool in_one =
          std::ranges::all_of(differing_, [&](std::size_t i) { return i / rows.stride == row; });
      if (in_one && rows.count > 1) words += ", all at index " + std::to_string(row) + " of axis 0";
    }
    return words + ", by up to " + short_number(greatest_difference_, 4) +
           " where the reference's greatest is " + short_number(greatest_, 4);
  }

  const TensorNumbers& a_;
  const TensorNumbers& b_;
  double greatest_;
  std::map<std::size_t, Channel> channels_;
  std::vector<std::size_t> differing_;
  std::size_t cut_ = 0; ///< of those that are stored as the last number that there is
  double greatest_cut_ = 0, greatest_difference_ = 0;
};

} // namespace

double greatest_of(const std::vector<double>& values) {
  double greatest = 0;
  for (const double value : values)
    if (std::isfinite(value)) greatest = std::max(greatest, std::abs(value));
  return greatest;
}

bool is_rounding(const TensorNumbers& reference, const TensorNumbers& candidate, double greatest,
                 std::size_t own, std::size_t other) {
  const double one = reference.values[own], two = candidate.values[other];
  return one == two || (std::isnan(one) && std::isnan(two)) ||
         std::abs(one - two) <= allowed_between(reference, candidate, greatest, own, other);
}

std::size_t TensorNumbers::channel_of(std::size_t value) const {
  if (steps.size() < 2) return 0;
  std::size_t stride = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) stride *= shape[i];
  return value / stride % shape[axis];
}

TensorDifference difference_of(const TensorNumbers& reference, const TensorNumbers& candidate,
                               Explained explained) {
  if (reference.values.size() != candidate.values.size()) return {};
  return Difference(reference, candidate).find(explained);
}

} // namespace model_validator
