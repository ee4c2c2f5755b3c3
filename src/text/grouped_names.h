#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace model_validator {

/// Names that differ in one number alone: `past_key_values.{0..31}.key`.
struct NameGroup {
  std::string name;
  std::vector<std::size_t> members; ///< their places, in order
};

/// Groups of three names or more whose numbers follow one another; any other name is a group of its
/// own. Groups stand where their first member stood.
/// @param kinds  one for each name; only names of one kind share a group
std::vector<NameGroup> group_names(const std::vector<std::string>& names,
                                   const std::vector<std::string>& kinds);
/// All of one kind.
std::vector<std::string> grouped(const std::vector<std::string>& names);

} // namespace model_validator
