#include "verify/compare/checker_parts.h"

namespace model_validator::verify {

std::vector<Closeness> FullValueChecker::closeness(const std::string&, DType) const {
  return {{options_.rtol, options_.atol, Denominator::candidate}};
}

std::vector<Verdict> FullValueChecker::check(const ComparedOutput& output,
                                             std::vector<std::string>& notes) const {
  std::vector<Verdict> verdicts = check_automatically(output, options_, notes);
  for (Verdict& verdict : verdicts)
    if (!verdict.passed)
      verdict.thrown =
          "Data mismatch -> FullChecker (compare_with_golden): " + both_previews(output) + "\n- " +
          verdict.message;
  if (is_integral(output.reference.dtype)) {
    verdicts.push_back(check_exact(output.metrics));
    return verdicts;
  }
  const Closeness rule = closeness(output.name, output.reference.dtype).front();
  Verdict close = check_close(output.metrics, rule, false);
  if (!close.passed)
    close.thrown = "Data mismatch -> FullChecker (all_close):" +
                   allclose_details(output, rule.rtol, rule.atol) + "\n- " + close.message;
  verdicts.push_back(std::move(close));
  return verdicts;
}

} // namespace model_validator::verify
