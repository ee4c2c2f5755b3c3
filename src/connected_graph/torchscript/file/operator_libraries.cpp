#include "connected_graph/torchscript/file/operator_libraries.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/runtime/operator.h>

#include <dlfcn.h>
#include <set>
#include <string>

namespace model_validator::torchscript {
namespace {

/// What helps depends on what the system's loader says.
const char* help_for(std::string_view reason) {
  if (reason.find("cannot open shared object file") != std::string_view::npos)
    return "a library that it needs was not found: add the folder of that one to LD_LIBRARY_PATH";
  if (reason.find("undefined symbol") != std::string_view::npos)
    return "it must be built for the LibTorch that `model_validator --version` names";
  return "it must be a shared library, built for the LibTorch that `model_validator --version` "
         "names";
}

void load(const std::filesystem::path& library) {
  if (!std::filesystem::exists(library))
    throw Error(ErrorKind::bad_op_library, library.string(), "no such operator library",
                "check the path given to --op-library");
  // A path without a slash would be searched for in the system's folders.
  const std::filesystem::path full = std::filesystem::absolute(library);
  // It stays loaded: the operators that it registers point into it.
  if (::dlopen(full.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    const char* told = ::dlerror();
    const std::string reason = told != nullptr ? told : "unknown reason";
    throw Error(ErrorKind::bad_op_library, library.string(),
                "the operator library cannot be loaded: " + reason, help_for(reason));
  }
}

using Names = std::set<std::string, std::less<>>;

/// The operators that LibTorch has.
Names registered() {
  Names names;
  for (const auto& op : torch::jit::getAllOperators()) {
    const c10::FunctionSchema& schema = op->schema();
    const std::string& overload = schema.overload_name();
    names.insert(overload.empty() ? schema.name() : schema.name() + '.' + overload);
  }
  return names;
}

Names& brought() {
  static Names names;
  return names;
}

} // namespace

void load_operator_libraries(const std::vector<std::filesystem::path>& libraries) {
  if (libraries.empty()) return;
  const Names before = registered();
  for (const auto& library : libraries) load(library);
  for (const std::string& name : registered())
    if (before.count(name) == 0) {
      brought().insert(name);
      brought().insert(name.substr(0, name.find(':')));
    }
}

bool came_from_library(std::string_view name) { return brought().count(name) != 0; }

} // namespace model_validator::torchscript
