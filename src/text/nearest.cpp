#include "text/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>

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

/// Of what people write for a longer name, its first letter and others in order, how far into the
/// name the letters reach; nothing where the word is no such abbreviation.
std::optional<std::size_t> reach_of_abbreviation(std::string_view word, std::string_view name) {
  constexpr std::size_t longest = 4;
  if (word.size() < 2 || word.size() > longest || name.size() < word.size() + 3) return {};
  if (name.front() != word.front() || word.front() == '-') return {};
  std::size_t end = 0;
  for (const char letter : word) {
    const std::size_t at = name.find(letter, end);
    if (at == std::string_view::npos) return {};
    end = at + 1;
  }
  return end;
}

/// The first of the names in which the letters of an abbreviation are closest; empty if none has
/// them.
std::string abbreviated(std::string_view word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t shortest = std::string_view::npos;
  for (const std::string& name : names)
    if (const auto reach = reach_of_abbreviation(word, name); reach && *reach < shortest) {
      shortest = *reach;
      best = name;
    }
  return best;
}

/// The longest name that a word begins with, as that of a package may: `coreml` of `coremltools`.
std::string beginning(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t shortest_name = 4;
  std::string best;
  for (const std::string& name : names)
    if (name.size() >= std::max(shortest_name, best.size() + 1) && word.starts_with(name))
      best = name;
  return best;
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
  if (std::string meant = abbreviated(word, candidates); !meant.empty()) return meant;
  if (fewest == typo) return best;
  const auto longer = std::ranges::find_if(
      candidates, [&](const auto& each) { return has_part(each, word) || has_part(word, each); });
  if (longer != candidates.end()) return *longer;
  return best.empty() ? beginning(word, candidates) : best;
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
