#include "text/lists.h"

#include <algorithm>

namespace model_validator {

std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : separator) + parts[i];
  return text;
}

std::string list_in_words(const std::vector<std::string>& parts) {
  if (parts.size() < 2) return joined(parts, "");
  return joined({parts.begin(), parts.end() - 1}, ", ") + " and " + parts.back();
}

std::string first_in_words(const std::vector<std::string>& parts, std::size_t shown) {
  if (parts.size() <= shown) return joined(parts, ", ");
  return joined({parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(shown)}, ", ") +
         " and " + std::to_string(parts.size() - shown) + " more";
}

std::vector<std::pair<std::string, std::size_t>>
most_frequent_first(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

} // namespace model_validator
