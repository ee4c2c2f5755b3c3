#include "connected_graph/torch_version.h"

#include "report/version.h"

#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <link.h>
#include <memory>
#include <regex>
#include <sstream>

namespace model_validator {
namespace {

std::filesystem::path loaded_library(const char* name) {
  const std::unique_ptr<void, int (*)(void*)> library(::dlopen(name, RTLD_LAZY | RTLD_NOLOAD),
                                                      ::dlclose);
  link_map* map = nullptr;
  if (!library || ::dlinfo(library.get(), RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0)
    return {};
  return map->l_name;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return stream ? std::move(text).str() : std::string();
}

/// `2.13` of `2.13.0+cpu`.
std::string minor_of(const std::string& version) {
  return version.substr(0, version.find('.', version.find('.') + 1));
}

} // namespace

std::string loaded_torch_version() {
  const auto library = loaded_library("libtorch_cpu.so");
  if (library.empty()) return {};
  const auto folder = library.parent_path().parent_path();
  const std::string text = content_of(folder / "version.py");
  std::smatch found;
  if (std::regex_search(text, found, std::regex("__version__ *= *['\"]([^'\"]+)"))) return found[1];
  // The archive of LibTorch without Python.
  const std::string build = content_of(folder / "build-version");
  return build.substr(0, build.find('\n'));
}

std::string torch_misfit() {
  const std::string found = loaded_torch_version();
  if (found.empty() || minor_of(found) == minor_of(libtorch_version)) return {};
  return "it was built for torch " + minor_of(libtorch_version) + ", and torch " + found +
         " is installed";
}

} // namespace model_validator
