#include "connected_graph/torchscript/file/method.h"

#include <model_validator/error.h>

namespace model_validator::torchscript {

torch::jit::Method method_of(const torch::jit::Module& module, const std::string& name,
                             const std::filesystem::path& file) {
  if (const auto method = module.find_method(name)) return *method;
  throw Error(ErrorKind::no_forward, file.string(), "the model has no method `" + name + "`",
              "export a module whose forward is scripted or traced");
}

} // namespace model_validator::torchscript
