#include "verify/backends/shared_library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <sstream>
#include <string>

namespace model_validator::verify {

std::optional<SharedLibrary>
SharedLibrary::open(const std::vector<std::filesystem::path>& candidates, std::string& why) {
  for (const auto& candidate : candidates) {
    if (candidate.empty()) continue;
    if (void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL))
      return SharedLibrary(handle);
    why = dlerror();
  }
  return std::nullopt;
}

void* SharedLibrary::symbol(const std::string& name) const { return dlsym(handle_, name.c_str()); }

std::filesystem::path library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&library_folder), &info) == 0) return {};
  return std::filesystem::absolute(info.dli_fname).parent_path();
}

namespace {

/// The folders of Python packages: that of ours, and those where Python finds the runtimes.
std::vector<std::filesystem::path> package_folders() {
  // site-packages/model_validator/lib/model_validator/torch-2.13
  std::vector<std::filesystem::path> folders{(library_folder() / "../../../..").lexically_normal()};
  const char* more = std::getenv("MODEL_VALIDATOR_PACKAGES"); // NOLINT(concurrency-mt-unsafe)
  std::istringstream listed(more != nullptr ? more : "");
  for (std::string folder; std::getline(listed, folder, ':');)
    if (std::filesystem::path(folder).is_absolute()) folders.emplace_back(folder);
  return folders;
}

} // namespace

std::vector<std::filesystem::path> python_package_files(const std::filesystem::path& folder,
                                                        const std::string& beginning) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  for (const auto& packages : package_folders())
    for (const auto& entry : std::filesystem::directory_iterator(packages / folder, failed))
      if (entry.path().filename().string().starts_with(beginning)) files.push_back(entry.path());
  return files;
}

} // namespace model_validator::verify
