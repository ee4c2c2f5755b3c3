#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model_validator {

/// Where a folder of source was when a model was exported, and where it is now.
using SourceRoot = std::pair<std::string, std::string>;

/// Finds files of Python that models record by the paths of the machines that exported them.
class MovedSources {
public:
  /// Whether a file that is not where it was is looked for beneath the working folder.
  enum class Search : bool { off, on };

  explicit MovedSources(std::vector<SourceRoot> roots);

  /// Where a recorded file is now: under its new root, where it was, or, beneath the working
  /// folder, at the path that ends most like the recorded one; empty where it is not found.
  std::filesystem::path find(const std::string& recorded, Search search = Search::on);

  /// Where source is now, besides the working folder.
  std::vector<std::filesystem::path> folders() const;
  const std::filesystem::path& working_folder() const noexcept { return folder_; }

private:
  std::filesystem::path most_like(const std::filesystem::path& recorded);

  std::vector<SourceRoot> roots_;
  std::filesystem::path folder_;
  std::optional<std::multimap<std::string, std::filesystem::path>> beneath_; ///< by name
};

} // namespace model_validator
