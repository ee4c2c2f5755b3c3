#include "verify/compare/words.h"

#include "verify/compare/pair_reader.h"

#include <cmath>
#include <cstdio>
#include <memory>

namespace model_validator::verify {

std::string number(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string share(std::int64_t part, std::int64_t whole) {
  const double percent =
      whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  char text[16];
  std::snprintf(text, sizeof text, "%.3g", percent);
  return std::to_string(part) + " of " + std::to_string(whole) + " elements (" + text + "%)";
}

std::string rule_text(const Closeness& rule) {
  const std::string atol = number(rule.atol);
  if (rule.rtol == 0) return "|d| ≤ " + atol;
  return "|d| ≤ " + atol + " + " + number(rule.rtol) + " · |" + to_string(rule.denominator) + "|";
}

std::string fit_text(const LinearFit& fit) {
  const std::string bias = number(std::fabs(fit.bias));
  return number(fit.scale) + " · reference " + (fit.bias < 0 ? "− " : "+ ") + bias;
}

std::string index_text(const std::vector<std::int64_t>& index) {
  std::string text = "(";
  for (const std::int64_t coordinate : index) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(coordinate);
  }
  return text + (index.size() == 1 ? ",)" : ")");
}

std::string preview(const TensorView& view) {
  constexpr std::int64_t most = 6;
  const PairReader reader(view, view);
  const std::int64_t size = reader.layout().size();
  const std::int64_t shown = std::min(most, size);
  const auto block = std::make_unique<Block>();
  reader.read(0, static_cast<std::size_t>(shown), *block);
  std::string text = "tensor([";
  for (std::int64_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + number(block->a[i]);
  if (shown < size) text += ", …";
  return text + "], shape=" + to_string(view.shape) + ")";
}

} // namespace model_validator::verify
