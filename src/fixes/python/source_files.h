#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// Where the user's source is, and what of it may be edited.
class SourceFiles {
public:
  virtual ~SourceFiles() = default;

  /// A file of source, or why it is not edited.
  struct File {
    std::string path; ///< where it is now
    std::string text;
    std::string refusal; ///< a clause: `it lies outside the working folder`; empty where it may be
  };
  /// @param recorded  the path that the model names
  virtual File find(const std::string& recorded) = 0;
  /// The text of a file next to the source; nothing where there is none.
  virtual std::optional<std::string> read(const std::string& path) = 0;
  /// Whether a file that cannot be read may be made: nothing is there, not even a link.
  virtual bool may_make(const std::string& path) = 0;
  /// The paths of all files of source, those that may not be edited among them, for what they say
  /// of the classes that are edited.
  virtual std::vector<std::string> all() = 0;
  /// The texts of notebooks and configurations beside them, by path.
  virtual std::map<std::string, std::string> others() = 0;
};

} // namespace model_validator::fixes
