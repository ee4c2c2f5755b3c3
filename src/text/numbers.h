#pragma once

#include <cstdint>
#include <cstdio>
#include <iomanip>
#include <sstream>
#include <string>
#include <utility>

namespace model_validator {

/// The first digits of a number: `0.0312`, `1e-07`.
inline std::string short_number(double number, int digits = 6) {
  std::ostringstream text;
  text << std::setprecision(digits) << number;
  return std::move(text).str();
}

/// A number of which no more than two digits are known, in full up to a million: `640`, `2.6e+06`.
inline std::string rough_number(double number) {
  return short_number(std::stod(short_number(number, 2)));
}

/// `12.5 %`; empty of nothing.
inline std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "";
  char text[16]; // NOLINT(*-avoid-c-arrays): for snprintf
  std::snprintf(text, sizeof text, "%.1f %%",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

} // namespace model_validator
