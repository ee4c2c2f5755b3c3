#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A library that stays loaded.
class SharedLibrary {
public:
  /// Loads the first that can be loaded, its symbols kept apart from everybody's.
  /// @return nothing when none can; `why` then holds the loader's last words
  static std::optional<SharedLibrary> open(const std::vector<std::filesystem::path>& candidates,
                                           std::string& why);
  /// Null where there is none of that name.
  void* symbol(const std::string& name) const;

private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  void* handle_;
};

/// The folder that holds the library this function is compiled into.
std::filesystem::path library_folder();

} // namespace model_validator::verify
