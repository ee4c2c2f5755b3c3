#include "verify/compare/words.h"
#include "verify/report/charts.h"
#include "verify/report/svg.h"

#include <algorithm>
#include <cmath>

namespace model_validator::verify {

namespace {

/// Draws one histogram.
class HistogramChart {
  static constexpr double width = 640, height = 240;
  static constexpr double left = 56, right = 12, top = 14, bottom = 40;
  static constexpr double base = height - bottom; ///< y of the horizontal axis
  static constexpr double exact_width = 26;
  static constexpr double gap = 18; ///< between the elements that are equal and those that are not

public:
  HistogramChart(const Histogram& histogram, std::optional<double> allowed)
      : histogram_(histogram), allowed_(allowed) {
    const auto& counts = histogram.counts;
    const auto counted = [](std::int64_t count) { return count != 0; };
    const auto first = std::find_if(counts.begin(), counts.end(), counted);
    if (first != counts.end()) {
      first_ = static_cast<int>(first - counts.begin());
      last_ =
          static_cast<int>(counts.rend() - std::find_if(counts.rbegin(), counts.rend(), counted)) -
          1;
    }
    if (allowed_ && *allowed_ > 0) {
      first_ = std::min(first_, std::clamp(std::ilogb(*allowed_) + Histogram::offset, 0, last_bin));
      last_ = std::max(last_, std::clamp(std::ilogb(*allowed_) + Histogram::offset, 0, last_bin));
    }
    most_ = std::max(histogram.exact, *std::max_element(counts.begin(), counts.end()));
  }

  std::string draw(const std::string& label) {
    svg_ = svg_start(width, height, label);
    vertical_axis();
    bar(left + 4, exact_width, histogram_.exact, "bar exact", "equal");
    svg_ += svg_text(left + 4 + exact_width / 2, base + 15, "middle", "0");
    for (int bin = first_; bin <= last_; ++bin) {
      const std::int64_t count = histogram_.counts[static_cast<std::size_t>(bin)];
      const int exponent = bin - Histogram::offset;
      bar(x_of(exponent) + 0.5, step() - 1, count, "bar",
          number(std::ldexp(1.0, exponent)) + " ≤ |d| < " + number(std::ldexp(1.0, exponent + 1)));
    }
    horizontal_axis();
    if (allowed_ && *allowed_ > 0) allowance();
    return std::move(svg_) + "</svg>";
  }

private:
  static constexpr int last_bin = Histogram::bins - 1;

  double start() const { return left + 4 + exact_width + gap; }
  double step() const { return std::min(24.0, (width - right - start()) / (last_ - first_ + 1)); }
  double x_of(double exponent) const {
    return start() + (exponent + Histogram::offset - first_) * step();
  }
  double y_of(double count) const {
    return base - (base - top) * std::log10(1 + count) / std::log10(1 + static_cast<double>(most_));
  }

  void bar(double x, double bar_width, std::int64_t count, const char* kind,
           const std::string& what) {
    if (count == 0) return;
    const double y = y_of(static_cast<double>(count));
    svg_ += "<rect class=\"" + std::string(kind) + "\" x=\"" + px(x) + "\" y=\"" + px(y) +
            "\" width=\"" + px(bar_width) + "\" height=\"" + px(base - y) + "\"><title>" +
            markup(what + ": " + std::to_string(count) + " elements") + "</title></rect>";
  }

  void vertical_axis() {
    for (double count = 1; count <= static_cast<double>(most_); count *= 10) {
      svg_ += svg_line(left, y_of(count), width - right, y_of(count), "grid");
      svg_ += svg_text(left - 6, y_of(count) + 4, "end", number(count));
    }
    svg_ += svg_line(left, base, width - right, base, "axis");
  }

  void horizontal_axis() {
    constexpr double least_space = 52;
    const double decade = step() / std::log10(2.0);
    const int stride = std::max(1, static_cast<int>(std::ceil(least_space / decade)));
    const auto exponent_at = [](int power) { return power / std::log10(2.0); };
    const int from = static_cast<int>(std::ceil((first_ - Histogram::offset) * std::log10(2.0)));
    const int to = static_cast<int>(std::floor((last_ + 1 - Histogram::offset) * std::log10(2.0)));
    for (int power = from; power <= to; ++power) {
      if (power % stride != 0) continue;
      const double x = x_of(exponent_at(power));
      svg_ += svg_line(x, base, x, base + 4, "axis");
      svg_ += svg_text(x, base + 15, "middle", power_of_ten(power));
    }
    svg_ += svg_text((left + width - right) / 2, height - 6, "middle", "|difference|");
  }

  void allowance() {
    const double x = x_of(std::log2(*allowed_));
    svg_ += "<g><title>" + markup("allowed: " + number(*allowed_)) + "</title>" +
            svg_line(x, top - 4, x, base, "allowed") + "</g>" +
            svg_text(std::min(x + 5, width - right - 60), top + 6, "start", "allowed");
  }

  const Histogram& histogram_;
  std::optional<double> allowed_;
  int first_ = Histogram::offset;
  int last_ = Histogram::offset;
  std::int64_t most_ = 1;
  std::string svg_;
};

} // namespace

std::string histogram_chart(const Histogram& histogram, std::optional<double> allowed,
                            const std::string& label) {
  return HistogramChart(histogram, allowed).draw(label);
}

} // namespace model_validator::verify
