#include "libraries/sibling_library.h"

#include "files/process/worker_protocol.h"
#include "libraries/torch_libraries.h"

#include <model_validator/error.h>

#include <dlfcn.h>
#include <link.h>
#include <string_view>

namespace model_validator {
namespace {

/// A library that is looked for among the loaded ones: a worker may not open files.
struct Wanted {
  std::string_view name;
  std::string found;
};

int look_at_loaded(dl_phdr_info* info, std::size_t, void* data) {
  auto& wanted = *static_cast<Wanted*>(data);
  const std::filesystem::path path = info->dlpi_name;
  if (path.filename() != wanted.name || !is_torch_folder(path.parent_path())) return 0;
  wanted.found = path;
  return 1;
}

void* loaded_library(const char* name) {
  Wanted wanted{name, {}};
  if (::dl_iterate_phdr(look_at_loaded, &wanted) == 0) return nullptr;
  return ::dlopen(wanted.found.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
}

std::string last_failure() {
  const char* words = ::dlerror();
  return words != nullptr ? words : "unknown reason";
}

} // namespace

void* sibling_function(const char* library, const char* symbol, const std::string& what,
                       const std::string& file) {
  void* handle = loaded_library(library);
  if (handle == nullptr) {
    process::request_library(library);
    const auto path = fitting_torch_libraries(what, file) / library;
    handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (void* function = handle == nullptr ? nullptr : ::dlsym(handle, symbol)) return function;
  throw Error(ErrorKind::no_libtorch, file, what + " cannot be loaded: " + last_failure());
}

} // namespace model_validator
