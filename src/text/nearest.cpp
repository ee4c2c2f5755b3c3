#include "text/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace model_validator::rules {
namespace {

/// Capitals are no edits.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// Whether a name that is written with dashes consists of a word and more: `--output-format` of
/// `--format`. Words are mistaken for each other in both directions.
bool has_part(std::string_view candidate, std::string_view word) {
  const auto bare = [](std::string_view name) {
    name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
    return "-" + std::string(name) + "-";
  };
  return word.find_first_not_of('-') != std::string_view::npos &&
         bare(candidate).find(bare(word)) != std::string::npos;
}

/// Whether a word is what people write for a longer name: its first letter and others, in order.
bool abbreviates(std::string_view word, std::string_view name) {
  constexpr std::size_t longest = 4;
  if (word.size() < 2 || word.size() > longest || name.size() < word.size() + 3) return false;
  if (name.front() != word.front() || word.front() == '-') return false;
  std::size_t at = 0;
  for (const char letter : name) at += at < word.size() && letter == word[at] ? 1 : 0;
  return at == word.size();
}

} // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t edits = edit_distance(word, candidate);
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  constexpr std::size_t typo = 2;
  if (fewest < typo) return best;
  const auto meant =
      std::ranges::find_if(candidates, [&](const auto& each) { return abbreviates(word, each); });
  if (meant != candidates.end()) return *meant;
  if (fewest == typo) return best;
  const auto longer = std::ranges::find_if(
      candidates, [&](const auto& each) { return has_part(each, word) || has_part(word, each); });
  return longer == candidates.end() ? best : *longer;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  if (const std::string near = nearest(word, candidates); !near.empty())
    return "did you mean `" + near + "`?";
  std::string list = "choose from";
  for (const std::string& candidate : candidates)
    list += (&candidate == candidates.data() ? " `" : ", `") + candidate + "`";
  return candidates.empty() ? std::string{} : list;
}

} // namespace model_validator::rules
