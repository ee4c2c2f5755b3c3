#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// The minor versions of torch that this installation has libraries for, oldest first: `2.8`,
/// `2.13`.
std::vector<std::string> served_torch_versions();

/// Whether a folder is, by its name, one of those that hold the libraries for one version.
bool is_torch_folder(const std::filesystem::path& folder);

/// Loads the LibTorch of this machine that this installation has libraries for.
/// @param what  what needs them, as a sentence begins: `verification`
/// @param file  the file concerned, for the Error; may be empty
/// @returns the folder of these libraries
/// @throws Error (`no-libtorch`) that names the versions that there are libraries for
std::filesystem::path fitting_torch_libraries(const std::string& what, const std::string& file);

/// The folder that the core library lies in.
std::filesystem::path own_folder();

} // namespace model_validator
