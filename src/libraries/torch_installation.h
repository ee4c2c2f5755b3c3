#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// A LibTorch on this machine.
struct TorchInstallation {
  /// The folder of its libraries.
  std::filesystem::path libraries;
  /// As it states it itself: `2.13.0+cpu`; empty where it does not.
  std::string version;
};

/// `2.13` of `2.13.0+cpu`. Between minor versions LibTorch keeps no binary interface.
std::string minor_version(const std::string& version);

/// The LibTorch that is loaded into this process, and it alone; else those that are found on
/// LD_LIBRARY_PATH and in some more folders, in this order.
std::vector<TorchInstallation>
find_torch_installations(const std::vector<std::filesystem::path>& more_folders);

/// Loads it, so that libraries that name LibTorch get this one. It stays: LibTorch does not survive
/// being unloaded. @returns the loader's message where that fails, else nothing
std::string load_torch(const TorchInstallation& torch);

} // namespace model_validator
