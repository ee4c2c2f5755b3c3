#include "connected_graph/torchscript/operator_libraries.h"

#include <model_validator/error.h>

#include <dlfcn.h>
#include <string>

namespace model_validator::torchscript {
namespace {

void load(const std::filesystem::path& library) {
  if (!std::filesystem::exists(library))
    throw Error(ErrorKind::bad_op_library, library.string(), "no such operator library",
                "check the path given to --op-library");
  // A path without a slash would be searched for in the system's folders.
  const std::filesystem::path full = std::filesystem::absolute(library);
  // It stays loaded: the operators that it registers point into it.
  if (::dlopen(full.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    const char* reason = ::dlerror();
    throw Error(ErrorKind::bad_op_library, library.string(),
                std::string("the operator library cannot be loaded: ") +
                    (reason != nullptr ? reason : "unknown reason"),
                "it must be built against the same LibTorch");
  }
}

} // namespace

void load_operator_libraries(const std::vector<std::filesystem::path>& libraries) {
  for (const auto& library : libraries) load(library);
}

} // namespace model_validator::torchscript
