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

} // namespace model_validator
