#include "connected_graph/front_end_library.h"

#include <model_validator/error.h>

#include <dlfcn.h>
#include <string>

namespace model_validator {
namespace {

constexpr const char* library_name = "libmodel_validator_torchscript.so";

std::filesystem::path own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&torchscript_front_end), &info) == 0) return {};
  return std::filesystem::absolute(info.dli_fname).parent_path();
}

/// A front end, or why there is none.
struct Loaded {
  const FrontEnd* front_end = nullptr;
  std::string failure;
};

std::string last_failure() {
  const char* words = ::dlerror();
  return words != nullptr ? words : "unknown reason";
}

Loaded load() {
  const std::filesystem::path library = own_folder() / library_name;
  // It stays loaded: LibTorch does not survive being unloaded.
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, last_failure()};
  void* factory = ::dlsym(handle, front_end_factory);
  if (factory == nullptr) return {nullptr, last_failure()};
  return {reinterpret_cast<FrontEndFactory>(factory)(), {}};
}

} // namespace

const FrontEnd& torchscript_front_end(const std::filesystem::path& file) {
  static const Loaded loaded = load();
  if (loaded.front_end == nullptr)
    throw Error("no-libtorch", file.string(),
                "the TorchScript front end cannot be loaded: " + loaded.failure,
                "install torch 2.13.0, or put LibTorch's lib folder on LD_LIBRARY_PATH");
  return *loaded.front_end;
}

} // namespace model_validator
