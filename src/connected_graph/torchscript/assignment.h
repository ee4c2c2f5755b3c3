#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace model_validator::torchscript {

/// Where Python code sets an attribute of an object: `self.state = …`, `self.h, self.c = …`.
///
/// @param near  an offset in `code`; among several such lines the nearest is taken
/// @return the attribute's begin and end in `code`; nullopt if none sets it
std::optional<std::pair<std::size_t, std::size_t>>
assignment_of(const std::string& code, const std::string& attribute, std::size_t near);

/// Where Python code assigns a variable, `z = …`: the last such line before that of `near`.
///
/// @return the variable's begin and end in `code`; nullopt if none assigns it
std::optional<std::pair<std::size_t, std::size_t>>
assignment_before(const std::string& code, const std::string& variable, std::size_t near);

/// The first such line from that of `near` on.
std::optional<std::pair<std::size_t, std::size_t>>
assignment_from(const std::string& code, const std::string& variable, std::size_t near);

/// The first `return` from the line of `near` on.
///
/// @return the word's begin and end in `code`; nullopt if there is none
std::optional<std::pair<std::size_t, std::size_t>> return_from(const std::string& code,
                                                               std::size_t near);

} // namespace model_validator::torchscript
