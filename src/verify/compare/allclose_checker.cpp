#include "verify/compare/checker_parts.h"
#include "verify/compare/words.h"

namespace model_validator::verify {

std::vector<Closeness> AllCloseValueChecker::closeness(const std::string&, DType dtype) const {
  if (is_integral(dtype)) return {{0, 0, Denominator::candidate}};
  return {{options_.rtol, options_.atol, Denominator::candidate}};
}

std::vector<Verdict> AllCloseValueChecker::check(const ComparedOutput& output,
                                                 std::vector<std::string>& notes) const {
  const DType dtype = output.reference.dtype;
  const Closeness rule = closeness(output.name, dtype).front();
  if (is_integral(dtype))
    notes.push_back(
        "integers and booleans are compared exactly: closeness makes no sense for them");
  Verdict verdict = check_close(output.metrics, rule, options_.equal_nan);
  if (!verdict.passed)
    verdict.thrown = "Data mismatch -> AllCloseValueChecker (all_close):" +
                     allclose_details(output, rule.rtol, rule.atol) + "\n- " + verdict.message;
  return {verdict};
}

} // namespace model_validator::verify
