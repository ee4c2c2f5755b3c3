#pragma once

#include <model_validator/error.h>

#include <cstddef>
#include <exception>
#include <filesystem>

namespace model_validator::torchscript {

/// What LibTorch threw, as an Error for the user: its first sentence, without C++ frames.
Error as_error(const std::exception& thrown, const std::filesystem::path& file);

/// Of a class, a module's path, an attribute, an input: each op, weight and value repeats it.
/// @throws Error (`too-large`) for one of more than 4096 characters
void require_short_name(std::size_t length);

/// Calls `work`. What LibTorch throws arrives as Error.
template <typename Work> auto translating_errors(const std::filesystem::path& file, Work&& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& thrown) {
    throw as_error(thrown, file);
  }
}

} // namespace model_validator::torchscript
