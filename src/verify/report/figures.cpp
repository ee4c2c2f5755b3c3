#include "verify/report/figures.h"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace model_validator::verify {

std::string title_of(const OutputReport& output, const VerifyReport& report) {
  std::vector<std::string> call;
  if (report.samples > 1) call.push_back("sample " + std::to_string(output.sample));
  if (report.steps > 1) call.push_back("step " + std::to_string(output.step));
  return call.empty() ? output.name : output.name + " (" + boost::join(call, ", ") + ")";
}

std::size_t failures(const VerifyReport& report) {
  return static_cast<std::size_t>(std::ranges::count_if(
      report.outputs, [](const OutputReport& output) { return !output.passed(); }));
}

} // namespace model_validator::verify
