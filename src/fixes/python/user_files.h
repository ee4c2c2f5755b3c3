#pragma once

#include "files/moved_sources.h"
#include "fixes/python/source_files.h"

#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// The user's own Python files: those beneath the working folder or a named root, and not of an
/// installed package.
class UserFiles final : public SourceFiles {
public:
  explicit UserFiles(std::vector<SourceRoot> roots);

  File find(const std::string& recorded) override;
  std::optional<std::string> read(const std::string& path) override;
  bool may_make(const std::string& path) override;
  std::vector<std::string> all() override;
  std::map<std::string, std::string> others() override;

  /// The working folder, or else the root, that a file lies in; empty where none does.
  std::filesystem::path folder_of(const std::filesystem::path& file) const;

private:
  /// The working folder first, then the roots.
  std::vector<std::filesystem::path> folders() const;
  std::vector<std::string> files_with(std::initializer_list<std::string_view> endings) const;
  std::string refusal_of(const std::filesystem::path& path) const;

  MovedSources moved_;
};

} // namespace model_validator::fixes
