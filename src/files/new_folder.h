#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>

namespace model_validator {

/// A folder beside the one that is to appear, which takes its place when it is complete and is
/// removed when it is not.
class NewFolder {
public:
  /// @param stop  where a stop is asked for, the folder goes at once
  /// @throws Error (`cannot-write`)
  explicit NewFolder(const std::filesystem::path& place, std::stop_token stop = {});
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

  /// When all of it is on the disk. What was there before goes. @throws Error (`cannot-write`)
  void put_in_place();

private:
  void remove() const noexcept;

  std::filesystem::path place_;
  std::filesystem::path path_;
  std::stop_callback<std::function<void()>> on_stop_;
};

} // namespace model_validator
