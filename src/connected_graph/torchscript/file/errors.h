#pragma once

#include <model_validator/error.h>

#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

namespace model_validator::torchscript {

/// LibTorch's exception as an Error for the user: its first sentence, without C++ frames.
Error as_error(const std::exception& thrown, const std::filesystem::path& file);

/// Calls `work`, and turns LibTorch's exceptions into an Error.
template <typename Work> auto translating_errors(const std::filesystem::path& file, Work&& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& thrown) {
    throw as_error(thrown, file);
  }
}

/// What an error of LibTorch says, without the frame that its assertions put around it and the
/// places in its own source: nobody but their authors can use `INTERNAL ASSERT FAILED at "…":
/// please report a bug to PyTorch`.
std::string without_assertion(std::string_view message);

} // namespace model_validator::torchscript
