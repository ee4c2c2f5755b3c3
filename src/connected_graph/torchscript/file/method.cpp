#include "connected_graph/torchscript/file/method.h"

#include "text/lists.h"

#include <model_validator/error.h>

#include <vector>

namespace model_validator::torchscript {

torch::jit::Method method_of(const torch::jit::Module& module, const std::string& name,
                             const std::filesystem::path& file) {
  if (const auto method = module.find_method(name)) return *method;
  std::vector<std::string> others;
  for (const auto& method : module.get_methods()) others.push_back('`' + method.name() + '`');
  throw Error(ErrorKind::no_forward, file.string(), "the model has no method `" + name + "`",
              others.empty()
                  ? "give it a `forward`, and export it: `torch.export.export(model, inputs)`"
                  : "it has " + first_in_words(others, 4) +
                        ": give it a `forward` that calls what is to be compiled");
}

} // namespace model_validator::torchscript
