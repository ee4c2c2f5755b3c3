#include "text/grouped_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace model_validator {
namespace {

/// A name as what lies between its numbers, and the numbers.
struct Parts {
  std::vector<std::string> words; ///< one more than numbers
  std::vector<std::string> numbers;
};

bool is_of_a_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

Parts parts_of(const std::string& name) {
  Parts parts{{""}, {}};
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_of_a_number(name[i])) {
      parts.words.back() += name[i];
      continue;
    }
    if (i == 0 || !is_of_a_number(name[i - 1])) {
      parts.numbers.emplace_back();
      parts.words.emplace_back();
    }
    parts.numbers.back() += name[i];
  }
  return parts;
}

/// The name with another text in place of one of its numbers.
std::string with(const Parts& parts, std::size_t at, const std::string& text) {
  std::string name = parts.words.front();
  for (std::size_t i = 0; i < parts.numbers.size(); ++i)
    name += (i == at ? text : parts.numbers[i]) + parts.words[i + 1];
  return name;
}

using Pattern = std::pair<std::string, std::string>; ///< a name with a gap, and its kind

constexpr std::size_t fewest = 3, longest_number = 9;

/// Whether the numbers at these places follow one another, each once.
bool follow(const std::vector<std::size_t>& members, const std::vector<Parts>& parts,
            std::size_t at) {
  std::set<unsigned long> numbers;
  for (const std::size_t member : members) {
    const std::string& number = parts[member].numbers[at];
    if (number.size() > longest_number || (number.size() > 1 && number.front() == '0'))
      return false;
    numbers.insert(std::stoul(number));
  }
  return numbers.size() == members.size() &&
         *numbers.rbegin() - *numbers.begin() + 1 == numbers.size();
}

} // namespace

std::vector<NameGroup> group_names(const std::vector<std::string>& names,
                                   const std::vector<std::string>& kinds) {
  std::vector<Parts> parts;
  std::map<Pattern, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < names.size(); ++i) {
    parts.push_back(parts_of(names[i]));
    for (std::size_t n = 0; n < parts[i].numbers.size(); ++n)
      alike[{std::to_string(n) + with(parts[i], n, "\n"), kinds[i]}].push_back(i);
  }
  std::vector<NameGroup> groups;
  std::set<std::size_t> taken;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (taken.count(i) != 0) continue;
    NameGroup group{names[i], {i}};
    for (std::size_t n = 0; n < parts[i].numbers.size(); ++n) {
      const auto& members = alike.at({std::to_string(n) + with(parts[i], n, "\n"), kinds[i]});
      if (members.size() < fewest || members.size() <= group.members.size() ||
          !follow(members, parts, n))
        continue;
      const auto number = [&](std::size_t member) { return std::stoul(parts[member].numbers[n]); };
      const auto [low, high] =
          std::minmax_element(members.begin(), members.end(),
                              [&](std::size_t a, std::size_t b) { return number(a) < number(b); });
      group = {
          with(parts[i], n, "{" + parts[*low].numbers[n] + ".." + parts[*high].numbers[n] + "}"),
          members};
    }
    taken.insert(group.members.begin(), group.members.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<std::string> grouped(const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const NameGroup& group : group_names(names, std::vector<std::string>(names.size())))
    found.push_back(group.name);
  return found;
}

} // namespace model_validator
