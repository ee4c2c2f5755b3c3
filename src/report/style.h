#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// How a report for people looks.
struct Style {
  bool color = false;
  std::size_t width = 0;                  ///< columns to wrap at; 0: never
  bool verbose = false;                   ///< lists are not shortened
  bool quiet = false;                     ///< findings only, no summary
  bool statistics = false;                ///< counts per rule after the summary
  bool show_suppressed = false;           ///< suppressed findings as well
  bool many_models = false;               ///< each model's part says whose it is
  std::string notice;                     ///< said first
  std::vector<std::string> grouped_rules; ///< told in a line each where they find much
};

/// Colours for a terminal, or none.
class Paint {
public:
  explicit Paint(bool on) : on_(on) {}
  std::string bold(std::string_view text) const { return in("1", text); }
  std::string red(std::string_view text) const { return in("1;31", text); }
  std::string yellow(std::string_view text) const { return in("1;33", text); }
  std::string green(std::string_view text) const { return in("1;32", text); }
  std::string blue(std::string_view text) const { return in("1;34", text); }
  std::string cyan(std::string_view text) const { return in("1;36", text); }

private:
  std::string in(std::string_view code, std::string_view text) const {
    if (!on_) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }
  bool on_;
};

} // namespace model_validator
