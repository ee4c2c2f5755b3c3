#pragma once

#include <chrono>
#include <filesystem>

namespace model_validator {

/// Keeps other runs of this program from replacing files of a folder.
class FolderLock {
public:
  /// @param patience  how long another run may hold the folder
  /// @throws Error (`cannot-write`)
  explicit FolderLock(const std::filesystem::path& folder,
                      std::chrono::milliseconds patience = std::chrono::minutes(1));
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

private:
  int descriptor_;
};

} // namespace model_validator
