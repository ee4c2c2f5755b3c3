#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace model_validator {

/// Whether a name is a URL, such as `https://…`, and not a path.
bool is_url(std::string_view name);

/// A regular file, open for reading. It is read by position, never as a whole.
class InputFile {
public:
  /// @throws Error (`not-found`, `is-a-folder`, `not-a-regular-file`, `no-permission`,
  /// `empty-file`, `unreadable-file`). Never blocks, whatever the path names.
  explicit InputFile(std::filesystem::path path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  int descriptor() const noexcept { return descriptor_; }
  /// The size when it was opened. The file may have changed since.
  std::uint64_t size() const noexcept { return size_; }

  /// Reads up to `count` bytes; fewer at the end of the file.
  std::size_t read_at(std::uint64_t offset, void* to, std::size_t count) const;
  std::string read_at(std::uint64_t offset, std::size_t count) const;

private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

} // namespace model_validator
