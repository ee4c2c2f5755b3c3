#include "verify/backends/runtime_message.h"

#include "text/cpp_places.h"

#include <boost/algorithm/string.hpp>

#include <vector>

namespace model_validator::verify {
namespace {

constexpr std::size_t longest = 400;

/// `Exception from src/core.cpp:84:`, `Check 'false' failed at src/core.cpp:90:`
bool names_own_source(const std::string& line) {
  return boost::starts_with(line, "Exception from ") ||
         (boost::starts_with(line, "Check '") && boost::contains(line, "' failed at "));
}

} // namespace

std::string runtime_message(const std::string& text) {
  std::vector<std::string> lines, kept;
  // OpenVINO's front ends name each of the checks that fail after the first, and then the first.
  const auto last = text.rfind("FrontEnd API failed with");
  boost::split(lines, last == text.npos ? text : text.substr(last), boost::is_any_of("\r\n"));
  for (auto& line : lines) {
    boost::trim(line);
    if (!line.empty() && !names_own_source(line)) kept.push_back(without_cpp_places(line));
  }
  return (kept.empty() ? boost::trim_copy(text) : boost::join(kept, " ")).substr(0, longest);
}

} // namespace model_validator::verify
