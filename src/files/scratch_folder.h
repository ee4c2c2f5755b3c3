#pragma once

#include <filesystem>

namespace model_validator {

/// A new folder for temporary files, removed with all it holds.
class ScratchFolder {
public:
  ScratchFolder(); ///< @throws Error (`cannot-write`)
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace model_validator
