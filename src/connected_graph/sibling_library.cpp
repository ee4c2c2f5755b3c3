#include "connected_graph/sibling_library.h"

#include "connected_graph/torch_version.h"
#include "files/process/worker_protocol.h"
#include "report/version.h"

#include <model_validator/error.h>

#include <dlfcn.h>

namespace model_validator {
namespace {

std::string last_failure() {
  const char* words = ::dlerror();
  return words != nullptr ? words : "unknown reason";
}

std::string used_with(const std::string& misfit) {
  return misfit.empty() ? misfit : "used: " + misfit;
}

} // namespace

std::filesystem::path own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&sibling_function), &info) == 0) return {};
  return std::filesystem::absolute(info.dli_fname).parent_path();
}

void* sibling_function(const char* library, const char* symbol, const std::string& what,
                       const std::string& file) {
  const std::filesystem::path path = own_folder() / library;
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  if (handle == nullptr) {
    process::request_library(library);
    handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  void* function = handle == nullptr ? nullptr : ::dlsym(handle, symbol);
  const std::string wrong =
      function == nullptr ? "loaded: " + last_failure() : used_with(torch_misfit());
  if (wrong.empty()) return function;
  throw Error("no-libtorch", file, what + " cannot be " + wrong,
              std::string("install torch ") + libtorch_version +
                  ", or put LibTorch's lib folder on LD_LIBRARY_PATH");
}

} // namespace model_validator
