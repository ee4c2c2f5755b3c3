#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A library that stays loaded.
class SharedLibrary {
public:
  /// Loads the first that can be loaded, with its symbols kept local.
  /// @return nothing when none can; `why` then holds the loader's last message
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

/// The files in a folder of Python packages whose names begin so: of those next to ours, where this
/// program is part of a Python package, and of those in the folders that MODEL_VALIDATOR_PACKAGES
/// lists, as the Python command does. @param folder  `onnxruntime/capi`
std::vector<std::filesystem::path> python_package_files(const std::filesystem::path& folder,
                                                        const std::string& beginning);

} // namespace model_validator::verify
