#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>

namespace model_validator {

/// A temporary folder next to the final one, which takes its place when it is complete and is
/// removed otherwise.
class NewFolder {
public:
  /// @param stop  when a stop is requested, the folder is removed at once
  /// @throws Error (`cannot-write`)
  explicit NewFolder(const std::filesystem::path& place, std::stop_token stop = {});
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

  /// Once all of it is on the disk. What was there before is removed. @throws Error
  /// (`cannot-write`)
  void put_in_place();

private:
  void remove() const noexcept;

  std::filesystem::path place_;
  std::filesystem::path path_;
  std::stop_callback<std::function<void()>> on_stop_;
};

} // namespace model_validator
