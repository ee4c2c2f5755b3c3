#include "cli/verify_library.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

#include <dlfcn.h>
#include <filesystem>
#include <string>

namespace model_validator::cli {
namespace {

constexpr const char* library_name = "libmodel_validator_verify.so";

/// The folder of the program's own shared library.
std::filesystem::path libraries() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&read_graph), &info) == 0) return {};
  return std::filesystem::absolute(info.dli_fname).parent_path();
}

[[noreturn]] void refuse() {
  const char* words = ::dlerror();
  throw Error("no-libtorch", "",
              std::string("verification cannot be loaded: ") +
                  (words != nullptr ? words : "unknown reason"),
              "install torch 2.13.0, or put LibTorch's lib folder on LD_LIBRARY_PATH");
}

} // namespace

const verify::Library& verify_library() {
  // It stays loaded: LibTorch does not survive being unloaded.
  void* handle = ::dlopen((libraries() / library_name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) refuse();
  void* function = ::dlsym(handle, verify::library_symbol);
  if (function == nullptr) refuse();
  return *reinterpret_cast<verify::LibraryFunction>(function)();
}

} // namespace model_validator::cli
