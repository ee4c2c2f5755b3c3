#include "verify/command/weight_changes.h"

#include "introspection/weight_difference.h"
#include "text/plural.h"
#include "text/separators.h"

#include <model_validator/error.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace model_validator::verify {
namespace {

std::vector<ChangedWeights> changed_by_name(const std::filesystem::path& reference,
                                            const std::filesystem::path& candidate) {
  for (const auto& file : {reference, candidate})
    if (!std::filesystem::is_regular_file(file)) return {};
  std::vector<ChangedWeights> changed;
  try {
    changed = changed_weights(reference, candidate);
  } catch (const Error&) {
    return {}; // what cannot be read is reported by who runs it
  }
  const bool named_alike =
      std::all_of(changed.begin(), changed.end(),
                  [](const ChangedWeights& each) { return each.name == each.other_name; });
  if (!named_alike) return {};
  std::erase_if(changed, [](const ChangedWeights& each) { return each.differing == 0; });
  return changed;
}

} // namespace

std::string words_about_weights(const std::filesystem::path& reference,
                                const std::filesystem::path& candidate) {
  const std::vector<ChangedWeights> changed = changed_by_name(reference, candidate);
  if (changed.empty()) return {};
  const ChangedWeights& first = changed.front();
  const std::uint64_t numbers = std::accumulate(first.shape.begin(), first.shape.end(),
                                                std::uint64_t{1}, std::multiplies<>());
  std::string words = "`" + first.name + "` differs in " + with_separators(first.differing) +
                      " of " + with_separators(numbers) + (numbers == 1 ? " number" : " numbers");
  if (changed.size() > 1)
    words += ", and so " + std::string(changed.size() == 2 ? "does " : "do ") +
             plural(changed.size() - 1, "other tensor");
  return words;
}

} // namespace model_validator::verify
