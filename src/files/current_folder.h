#pragma once

#include <model_validator/error.h>

#include <filesystem>

namespace model_validator {

/// Libraries that models need to run find themselves by the current folder, and end the process
/// where there is none.
/// @throws Error (`cannot-read`) where it was removed
inline void require_current_folder() {
  std::error_code failed;
  if (std::filesystem::current_path(failed).empty())
    throw Error(ErrorKind::cannot_read, "", "the current folder is not there any more",
                "change to one that is");
}

} // namespace model_validator
