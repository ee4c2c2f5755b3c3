#pragma once

#include <filesystem>

namespace model_validator::verify {

/// A copy of a file that computes in float32 what the file computes in steps.
struct UnroundedFile {
  std::filesystem::path path;
  bool is_complete = false; ///< nothing in it is rounded to few bits any more
};

} // namespace model_validator::verify
