#include "files/process/worker_protocol.h"
#include "libraries/front_end_library.h"
#include "libraries/torch_libraries.h"
#include "libraries/verify_library.h"

#include <model_validator/error.h>

#include <dlfcn.h>
#include <link.h>
#include <string>
#include <string_view>

namespace model_validator {
namespace {

constexpr const char* front_end_library = "libmodel_validator_torchscript.so";

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

/// A function of a library that needs LibTorch. There is one such library for each minor version of
/// torch that this installation serves; the one that fits the torch of this machine is loaded at
/// the first call, after the versions are compared: another one would load, and read wrongly. A
/// worker process, which may load nothing, ends here and is restarted once the library is loaded.
/// @param library  `libmodel_validator_verify.so`
/// @param what     what it is for, as a sentence begins: `verification`
/// @param file     the file concerned, for the Error; may be empty
/// @throws Error (`no-libtorch`)
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

} // namespace

const verify::Library& verify_library(const std::filesystem::path& file) {
  void* function =
      sibling_function(verify::library_file, verify::library_symbol,
                       "running and comparing models, ONNX files as well,", file.string());
  return *reinterpret_cast<verify::LibraryFunction>(function)();
}

const FrontEnd& torchscript_front_end(const std::filesystem::path& file) {
  void* factory = sibling_function(front_end_library, front_end_factory,
                                   "the TorchScript front end", file.string());
  return *reinterpret_cast<FrontEndFactory>(factory)();
}

void load_for_workers(const std::string& name, const ReadOptions& options) {
  if (name == verify::library_file)
    verify_library();
  else if (name != front_end_library)
    throw Error(ErrorKind::crashed, "",
                "the process that read the model asked for an unknown library");
  torchscript_front_end({}).prepare(options);
}

} // namespace model_validator
