#pragma once

#include <filesystem>
#include <memory>
#include <ostream>

namespace model_validator {

/// A file that appears under its name when all of it is on the disk, and not at all otherwise.
/// Until then it has no name where the file system allows that, so that nothing is left of it,
/// however the program ends. It gets the access rights of the file that it replaces, else the usual
/// ones. Anything but a regular file, such as a device or a pipe that is read, is written directly.
class AtomicFile {
public:
  /// @throws Error (`cannot-write`)
  explicit AtomicFile(const std::filesystem::path& file);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  std::ostream& stream() noexcept { return stream_; }
  /// Puts the file in its place. @throws Error (`cannot-write`)
  void commit();
  /// The same, unless there is something in its place. @returns whether there was nothing
  /// @throws Error (`cannot-write`)
  bool commit_new();

private:
  class Buffer;

  int open_nameless() const;
  int open_straight() const;
  void give_name();
  std::filesystem::path write_beside() const;
  bool link_to(const std::filesystem::path& name) const;
  void copy_to(const std::filesystem::path& name) const;
  [[noreturn]] void fail(int error) const;

  std::filesystem::path file_; ///< at the end of all links
  bool straight_ = false;
  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_{nullptr};
};

/// A name that is not taken, next to `file`: `FILE.` and six letters.
std::filesystem::path name_beside(const std::filesystem::path& file);

/// Waits until a folder and its files are on the disk. @throws Error (`cannot-write`)
void sync_folder(const std::filesystem::path& folder);

} // namespace model_validator
