#include "verify/compare/words.h"
#include "verify/report/charts.h"
#include "verify/report/figures.h"
#include "verify/report/svg.h"

#include <algorithm>
#include <cmath>

namespace model_validator::verify {

namespace {

constexpr int lowest_power = -18; ///< errors below it, and zero, are drawn here

double power_of(double error) {
  if (std::isnan(error) || std::isinf(error)) return 3;
  return error <= 0 ? lowest_power : std::max<double>(lowest_power, std::log10(error));
}

/// Draws the errors of a run's ops.
class OpChart {
  static constexpr double width = 960, height = 320;
  static constexpr double left = 56, right = 16, top = 16, bottom = 40;
  static constexpr double base = height - bottom;

public:
  explicit OpChart(const std::vector<OpComparison>& ops) : ops_(ops) {
    double low = 0, high = -100;
    for (const OpComparison& op : ops) {
      low = std::min({low, power_of(op.error), power_of(op.tolerance)});
      high = std::max({high, power_of(op.error), power_of(op.tolerance)});
    }
    low_ = std::floor(low);
    high_ = std::max(low_ + 1, std::ceil(high + 0.2));
  }

  std::string draw() {
    svg_ = svg_start(width, height, "error of each op in the order they run");
    grid();
    allowance();
    for (std::size_t i = 0; i < ops_.size(); ++i) point(i);
    svg_ += svg_text(left, height - 6, "start", "first op");
    svg_ += svg_text(width - right, height - 6, "end", "last op");
    return std::move(svg_) + "</svg>";
  }

private:
  double x_of(std::size_t i) const {
    const double share =
        ops_.size() < 2 ? 0.5 : static_cast<double>(i) / static_cast<double>(ops_.size() - 1);
    return left + 8 + share * (width - left - right - 16);
  }
  double y_of(double power) const { return base - (base - top) * (power - low_) / (high_ - low_); }

  void grid() {
    const int stride = std::max(1, static_cast<int>(std::ceil((high_ - low_) / 9)));
    for (int power = static_cast<int>(low_); power <= static_cast<int>(high_); power += stride) {
      svg_ += svg_line(left, y_of(power), width - right, y_of(power), "grid");
      svg_ += svg_text(left - 6, y_of(power) + 4, "end",
                       power == lowest_power ? "0" : power_of_ten(power));
    }
    svg_ += svg_line(left, base, width - right, base, "axis");
  }

  void allowance() {
    std::string points;
    for (std::size_t i = 0; i < ops_.size(); ++i)
      points += px(x_of(i)) + "," + px(y_of(power_of(ops_[i].tolerance))) + " ";
    if (!points.empty()) points.pop_back();
    svg_ += "<polyline class=\"allowed\" points=\"" + points + "\"/>";
  }

  void point(std::size_t i) {
    const OpComparison& op = ops_[i];
    const bool beyond = !(op.error <= op.tolerance);
    const double x = x_of(i), y = y_of(power_of(op.error));
    std::string words =
        op_text(op) + "\nerror " + number(op.error) + ", allowed " + number(op.tolerance);
    if (op.introduced) words += ", introduced " + number(*op.introduced);
    svg_ += "<circle class=\"" + std::string(beyond ? "point beyond" : "point") + "\" cx=\"" +
            px(x) + "\" cy=\"" + px(y) + "\" r=\"" + (op.first_divergent ? "6" : "3") +
            "\"><title>" + markup(words) + "</title></circle>";
    if (!op.first_divergent) return;
    const bool late = x > width / 2;
    svg_ += svg_line(x, top, x, base, "first");
    svg_ += svg_text(late ? x - 10 : x + 10, top + 10, late ? "end" : "start",
                     "first difference: " + op.op);
  }

  const std::vector<OpComparison>& ops_;
  double low_ = 0;
  double high_ = 0;
  std::string svg_;
};

} // namespace

std::string op_chart(const std::vector<OpComparison>& ops) { return OpChart(ops).draw(); }

} // namespace model_validator::verify
