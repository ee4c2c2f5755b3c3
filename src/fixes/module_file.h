#pragma once

#include "fixes/module_class.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// A file of classes that stand for operations, next to the source that uses them.
class ModuleFile {
public:
  /// @param text  of the file as it is; empty where there is none
  explicit ModuleFile(std::string text);

  /// Asks for a class. Of several with the same name each gets its own. @returns the name that it
  /// has in the file
  /// @param is_taken_elsewhere  whether a name would hide another in some other file
  std::string want(const ModuleClass& type,
                   const std::function<bool(const std::string&)>& is_taken_elsewhere);
  /// What a class that was asked for adds to the existing file; nothing for one that is there.
  std::string with(const std::string& name) const;
  /// The file with all that was asked for.
  std::string text() const;
  /// Drops the classes that nothing uses after all.
  void keep_only(const std::set<std::string>& names) {
    std::erase_if(wanted_, [&](const auto& entry) { return names.count(entry.first) == 0; });
  }
  const std::string& before() const noexcept { return before_; }

private:
  bool is_taken(const std::string& name, const ModuleClass& type) const;

  std::string before_;
  std::map<std::string, std::string> there_; ///< the source of each class of the file
  std::map<std::string, ModuleClass> wanted_;
};

} // namespace model_validator::fixes
