#include <model_validator/quantisation.h>

#include <algorithm>
#include <cmath>

namespace model_validator {
namespace {

/// A zero point that is left out is zero.
std::optional<std::vector<double>> zero_points_of(const Quantisation& quantisation) {
  if (!quantisation.zero_point.given) return std::vector<double>{0};
  return quantisation.zero_point.values;
}

bool is_repeated(const std::vector<double>& values, double value) {
  return std::all_of(values.begin(), values.end(), [&](double each) {
    return each == value || (std::isnan(each) && std::isnan(value));
  });
}

/// One number stands for any count of the same.
bool same_numbers(const std::optional<std::vector<double>>& a,
                  const std::optional<std::vector<double>>& b) {
  if (!a || !b || a->empty() || b->empty()) return true;
  if (a->size() == 1) return is_repeated(*b, a->front());
  if (b->size() == 1) return is_repeated(*a, b->front());
  if (a->size() != b->size()) return false;
  return std::equal(a->begin(), a->end(), b->begin(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

} // namespace

bool same_quantisation(const Quantisation& a, const Quantisation& b) {
  const bool same_tensor = !a.scale.name.empty() && a.scale.name == b.scale.name;
  return (same_tensor || same_numbers(a.scale.values, b.scale.values)) &&
         same_numbers(zero_points_of(a), zero_points_of(b));
}

} // namespace model_validator
