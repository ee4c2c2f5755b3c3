#pragma once

#include <filesystem>
#include <fstream>

namespace model_validator {

/// A file that appears under its name when it is complete, and not at all when it is not.
class AtomicFile {
public:
  /// @throws Error (`cannot-write`)
  explicit AtomicFile(std::filesystem::path file);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  std::ostream& stream() noexcept { return stream_; }
  /// Puts the file in its place. @throws Error (`cannot-write`)
  void commit();

private:
  [[noreturn]] void fail() const;
  std::filesystem::path file_;
  std::filesystem::path temporary_;
  std::ofstream stream_;
};

} // namespace model_validator
