#include "libraries/torch_installation.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <link.h>
#include <memory>
#include <regex>
#include <sstream>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

constexpr const char* main_library = "libtorch_cpu.so";

/// Empty where it is not loaded.
fs::path folder_of_loaded_torch() {
  const std::unique_ptr<void, int (*)(void*)> library(
      ::dlopen(main_library, RTLD_LAZY | RTLD_NOLOAD), ::dlclose);
  link_map* map = nullptr;
  if (!library || ::dlinfo(library.get(), RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0)
    return {};
  return fs::path(map->l_name).parent_path();
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return stream ? std::move(text).str() : std::string();
}

std::string version_of(const fs::path& libraries) {
  const fs::path package = libraries.parent_path();
  const std::string text = content_of(package / "version.py");
  std::smatch found;
  if (std::regex_search(text, found, std::regex("__version__ *= *['\"]([^'\"]+)"))) return found[1];
  // The archive of LibTorch without Python.
  const std::string build = content_of(package / "build-version");
  return build.substr(0, build.find('\n'));
}

/// Parts that depend on the current folder are left out: it may be a cloned repository.
std::vector<fs::path> library_path() {
  std::vector<fs::path> folders;
  const char* value = std::getenv("LD_LIBRARY_PATH"); // NOLINT(concurrency-mt-unsafe)
  std::istringstream text(value != nullptr ? value : "");
  for (std::string folder; std::getline(text, folder, ':');)
    if (fs::path(folder).is_absolute()) folders.emplace_back(folder);
  return folders;
}

} // namespace

std::string minor_version(const std::string& version) {
  return version.substr(0, version.find_first_not_of("0123456789", version.find('.') + 1));
}

std::vector<TorchInstallation> find_torch_installations(const std::vector<fs::path>& more_folders) {
  if (const fs::path loaded = folder_of_loaded_torch(); !loaded.empty())
    return {{loaded, version_of(loaded)}};
  std::vector<fs::path> folders = library_path();
  folders.insert(folders.end(), more_folders.begin(), more_folders.end());
  std::vector<TorchInstallation> found;
  std::error_code failed;
  for (const fs::path& folder : folders)
    if (fs::exists(folder / main_library, failed)) found.push_back({folder, version_of(folder)});
  return found;
}

std::string load_torch(const TorchInstallation& torch) {
  if (::dlopen((torch.libraries / main_library).c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr)
    return {};
  const char* words = ::dlerror();
  return words != nullptr ? words : "unknown reason";
}

} // namespace model_validator
