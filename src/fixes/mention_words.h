#pragma once

#include "fixes/python/python_tree.h"
#include "fixes/python/source_index.h"

#include <string>
#include <string_view>

namespace model_validator::fixes {

/// Whether a text holds a name, with no letter of another before or behind it.
/// @param is_meant  given what stands before and behind it
template <class Test>
bool any_whole_name(std::string_view text, const std::string& name, Test is_meant) {
  return any_place(text, name, [&](std::size_t at, std::size_t end) {
    return (at == 0 || !is_of_name(text[at - 1])) &&
           (end == text.size() || !is_of_name(text[end])) &&
           is_meant(text.substr(0, at), text.substr(end));
  });
}

/// Whether a text reads like a name, a path or a pattern of names: no sentence, and no option of a
/// command line.
bool is_like_name(std::string_view text);

/// Whether an expression stands where something is given to it, or taken from it.
bool is_changed(const Node& use);

} // namespace model_validator::fixes
