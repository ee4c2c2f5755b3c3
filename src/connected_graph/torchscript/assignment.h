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

} // namespace model_validator::torchscript
