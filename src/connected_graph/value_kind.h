#pragma once

#include <model_validator/program.h>

#include <string>

namespace model_validator {

/// `a tensor`
std::string in_words(ValueKind kind);

/// A type in words: `float32` of a tensor, or where it is not known what it is; `sequence of
/// float32`.
std::string type_in_words(ValueKind kind, const std::string& dtype);

} // namespace model_validator
