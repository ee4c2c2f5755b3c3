#pragma once

#include "fixes/source_files.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::fixes {

/// Where a folder of source was when a model was exported, and where it is now.
using SourceRoot = std::pair<std::string, std::string>;

/// The user's own Python files: those beneath the working folder or a named root, and not of an
/// installed package.
class UserFiles final : public SourceFiles {
public:
  /// Whether a file that is not where it was is looked for beneath the working folder.
  enum class Search : bool { off, on };

  explicit UserFiles(std::vector<SourceRoot> roots, Search search = Search::on);

  File find(const std::string& recorded) override;
  std::optional<std::string> read(const std::string& path) override;

private:
  std::filesystem::path moved(const std::string& recorded);
  std::filesystem::path most_like(const std::filesystem::path& recorded);
  std::vector<std::filesystem::path> folders() const; ///< besides the working folder
  std::string refusal_of(const std::filesystem::path& path) const;

  std::vector<SourceRoot> roots_;
  Search search_;
  std::filesystem::path folder_;
  std::optional<std::multimap<std::string, std::filesystem::path>> beneath_; ///< by name
};

} // namespace model_validator::fixes
