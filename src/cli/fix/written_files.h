#pragma once

#include "fixes/plan.h"

#include <string>
#include <vector>

namespace model_validator::cli {

/// Changes to the user's files, undone when this object ends unless they are kept. A file that
/// someone else changes meanwhile is left alone: it is neither written nor restored.
class WrittenFiles {
public:
  WrittenFiles() = default;
  ~WrittenFiles();
  WrittenFiles(WrittenFiles&&) = default;
  WrittenFiles(const WrittenFiles&) = delete;
  WrittenFiles& operator=(const WrittenFiles&) = delete;
  WrittenFiles& operator=(WrittenFiles&&) = delete;

  /// Writes a file, all of it or nothing. @returns whether it was unchanged since it was read
  /// @throws Error (`cannot-write`)
  bool write(const fixes::FileChange& change);
  /// Writes all of them. @returns the files that were left alone
  std::vector<std::string> write(const std::vector<fixes::FileChange>& changes);

  /// Undoes everything. @returns the files that were left alone @throws Error (`cannot-write`)
  std::vector<std::string> put_back();
  void keep() noexcept { written_.clear(); }

private:
  std::vector<fixes::FileChange> written_;
};

} // namespace model_validator::cli
