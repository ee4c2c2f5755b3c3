#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace model_validator {

std::string joined(const std::vector<std::string>& parts, const std::string& separator);

/// `a, b and c`
std::string list_in_words(const std::vector<std::string>& parts);

/// The first of them and how many there are besides: `a, b and 3 more`.
std::string first_in_words(const std::vector<std::string>& parts, std::size_t shown);

/// Things and how often each was counted, the most frequent first.
std::vector<std::pair<std::string, std::size_t>>
most_frequent_first(const std::map<std::string, std::size_t>& counts);

} // namespace model_validator
