#pragma once

#include "choices.h"

#include <filesystem>
#include <string>

// What each fuzzer defines; fuzzer.cpp holds what they share.
namespace fuzz {

/// The bytes of a file of the fuzzer's kind.
std::string write_file(Choices& choices);

/// Reads it as the commands do. A model_validator::Error is an answer like any other.
/// @returns whether it was a model, which is counted
bool read_file(const std::filesystem::path& file);

} // namespace fuzz
