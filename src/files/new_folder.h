#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

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

  /// Once all of it is on the disk.
  /// @param replaced  names of the files in a folder that is there already. They are removed with
  /// it, and nothing else is: no link is followed, and what is not named stays.
  /// @throws Error (`cannot-write`)
  void put_in_place(const std::set<std::string>& replaced = {});

private:
  using OnStop = std::stop_callback<std::function<void()>>;
  void remove() const noexcept;
  void put_in_place_of(const std::set<std::string>& replaced);

  std::filesystem::path place_;
  std::filesystem::path path_;
  std::optional<OnStop> on_stop_; ///< while the folder is removed unless it is finished
};

} // namespace model_validator
