#pragma once

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

} // namespace model_validator
