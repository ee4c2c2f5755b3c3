#pragma once

#include "verify/report/markup.h"

#include <cstdio>
#include <string>

namespace model_validator::verify {

/// A length in an SVG: two digits are finer than any screen.
inline std::string px(double length) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", length);
  return text;
}

inline std::string svg_line(double x1, double y1, double x2, double y2, const char* kind) {
  return "<line class=\"" + std::string(kind) + "\" x1=\"" + px(x1) + "\" y1=\"" + px(y1) +
         "\" x2=\"" + px(x2) + "\" y2=\"" + px(y2) + "\"/>";
}

inline std::string svg_text(double x, double y, const char* anchor, const std::string& words) {
  return "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" text-anchor=\"" + anchor + "\">" +
         markup(words) + "</text>";
}

inline std::string svg_start(double width, double height, const std::string& label) {
  return "<svg viewBox=\"0 0 " + px(width) + " " + px(height) + "\" role=\"img\" aria-label=\"" +
         markup(label) + "\">";
}

/// `1e-5`
inline std::string power_of_ten(int exponent) {
  return exponent == 0 ? "1" : "1e" + std::to_string(exponent);
}

} // namespace model_validator::verify
