#include "requests/diff_request.h"

#include "lint/run_results.h"
#include "report/model_difference.h"

namespace model_validator {

void describe_difference(const std::filesystem::path& first, const std::filesystem::path& second,
                         const DiffRequest& request, Findings& found) {
  const auto difference = compare_models(first, second, request.read);
  if (request.format == "json")
    write_difference_json(found.output, difference);
  else
    write_difference_text(found.output, difference);
  if (difference.verdict != ModelDifference::Verdict::same_fingerprint)
    found.status = static_cast<int>(Outcome::findings);
}

} // namespace model_validator
