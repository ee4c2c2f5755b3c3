#pragma once

#include <cstddef>
#include <filesystem>

namespace model_validator {

/// Bytes of a model under a path that readers can open while this object lives.
class ModelBytes {
public:
  enum class Seen {
    by_this_process, ///< a file in memory
    by_others        ///< a temporary file, which another process can open too
  };
  /// @throws Error (`cannot-write`)
  ModelBytes(const void* bytes, std::size_t size, Seen seen);
  ~ModelBytes();
  ModelBytes(const ModelBytes&) = delete;
  ModelBytes& operator=(const ModelBytes&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

private:
  int file_ = -1;
  bool temporary_;
  std::filesystem::path path_;
};

} // namespace model_validator
