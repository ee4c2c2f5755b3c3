#include "text/lists.h"

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

} // namespace model_validator
