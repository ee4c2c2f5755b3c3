#include "introspection/norm_difference.h"

#include "text/numbers.h"
#include "text/plural.h"

#include <algorithm>
#include <cmath>

namespace model_validator {
namespace {

/// By how much a candidate scales each channel of what the reference has there.
struct Scales {
  std::vector<double> of_channel;
  std::vector<std::size_t> others; ///< channels that are scaled otherwise
};

/// A slice of a weight along its first axis.
struct Channel {
  const double *own, *other;
  std::size_t length;
  double allowed; ///< difference that rounding explains

  double factor() const {
    double product = 0, square = 0;
    for (std::size_t i = 0; i < length; ++i) {
      product += own[i] * other[i];
      square += own[i] * own[i];
    }
    return square > 0 ? product / square : 1;
  }
  bool is_scaled_by(double scale) const {
    for (std::size_t i = 0; i < length; ++i)
      if (std::abs(other[i] - own[i] * scale) > allowed * std::max(1.0, std::abs(scale)))
        return false;
    return true;
  }
};

Channel channel_of(const TensorNumbers& own, const TensorNumbers& other, std::size_t channel,
                   std::size_t channels) {
  const std::size_t length = own.values.size() / channels;
  Channel found{own.values.data() + channel * length, other.values.data() + channel * length,
                length, 0};
  double greatest = 0;
  for (std::size_t i = 0; i < length; ++i) greatest = std::max(greatest, std::abs(found.own[i]));
  const double step = other.steps.empty() ? 0 : other.steps[other.channel_of(channel * length)];
  found.allowed = greatest * std::max({rounding_of_folding, own.relative, other.relative}) + step;
  return found;
}

/// None where a channel is not the reference's times a number.
std::optional<Scales> scales_of(const TensorNumbers& own, const TensorNumbers& other,
                                std::size_t channels) {
  Scales scales;
  for (std::size_t c = 0; c < channels; ++c) {
    const Channel channel = channel_of(own, other, c, channels);
    const bool is_same = channel.is_scaled_by(1);
    scales.of_channel.push_back(is_same ? 1 : channel.factor());
    if (is_same) continue;
    if (!channel.is_scaled_by(scales.of_channel.back())) return std::nullopt;
    scales.others.push_back(c);
  }
  return scales;
}

/// The epsilon with which the norm would scale each channel as the candidate does.
std::optional<double> epsilon_of(const NormFactors& norm, const Scales& scales) {
  std::vector<double> found;
  for (std::size_t c = 0; c < norm.factor.size(); ++c) {
    const double deviation = norm.weight[c] / (norm.factor[c] * scales.of_channel[c]);
    found.push_back(deviation * deviation - norm.variance[c]);
  }
  std::vector<double> sorted = found;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  const double middle = sorted[sorted.size() / 2];
  if (!(middle > 0)) return std::nullopt;
  constexpr double as_exactly = 1e-3; // of what the scale of a channel says about it
  for (std::size_t c = 0; c < found.size(); ++c)
    if (!(std::abs(found[c] - middle) <= as_exactly * (norm.variance[c] + middle)))
      return std::nullopt;
  return middle;
}

std::string words_about_scales(const NormFactors& norm, const Scales& scales) {
  const std::size_t channels = norm.factor.size();
  constexpr std::size_t least_channels = 3; // that agree on an epsilon not by chance
  if (const auto epsilon = epsilon_of(norm, scales);
      epsilon && scales.others.size() >= least_channels)
    return "has an `epsilon` of " + short_number(*epsilon, 3) + " there, and of " +
           short_number(norm.epsilon, 3) + " in the reference";
  const std::size_t first = scales.others.front();
  return "scales " + of_all(scales.others.size(), channels, "channel") + " otherwise, channel " +
         std::to_string(first) + " by " + short_number(scales.of_channel[first], 4) +
         " times the reference's factor: its `weight` or its `running_var` differs";
}

std::string words_about_shifts(const TensorNumbers& own, const TensorNumbers& other) {
  const TensorDifference difference = difference_of(own, other);
  if (difference.words.empty()) return {};
  return "adds another number to " + of_all(difference.differing, own.values.size(), "channel") +
         ": its `bias` or its `running_mean` differs, or the bias of the layer";
}

} // namespace

std::string norm_difference(const NormFactors& norm, const std::vector<LoadedTensor>& layer,
                            const TensorNumbers& other_weight, const TensorNumbers& other_bias) {
  const TensorNumbers &weight = layer[0].numbers, &bias = layer[1].numbers;
  if (weight.shape != other_weight.shape || bias.values.size() != other_bias.values.size())
    return {};
  const auto scales = scales_of(weight, other_weight, norm.factor.size());
  if (!scales) return {};
  return scales->others.empty() ? words_about_shifts(bias, other_bias)
                                : words_about_scales(norm, *scales);
}

} // namespace model_validator
