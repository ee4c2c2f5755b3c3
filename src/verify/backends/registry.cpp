#include "verify/backends/builtin.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/join.hpp>

#include <algorithm>

namespace model_validator::verify {

BackendRegistry BackendRegistry::builtin() {
  BackendRegistry registry;
  for (auto& backend : {aoti_backend(), command_backend(), eager_backend(), onnxruntime_backend(),
                        subgraphs_backend(), torchscript_backend()})
    registry.add(backend);
  add_python_backends(registry);
  return registry;
}

void BackendRegistry::add(std::shared_ptr<const Backend> backend) {
  const auto same_name = [&](const auto& other) { return other->name() == backend->name(); };
  if (std::ranges::any_of(backends_, same_name))
    throw Error(ErrorKind::duplicate_backend, "",
                "there is a backend `" + backend->name() + "` already");
  backends_.push_back(std::move(backend));
}

std::shared_ptr<const Backend> BackendRegistry::find(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& backend : backends_) {
    if (backend->name() == name) return backend;
    names.push_back(backend->name());
  }
  std::ranges::sort(names);
  throw Error(ErrorKind::unknown_backend, "", "there is no backend `" + std::string(name) + "`",
              "choose one of " + boost::join(names, ", "));
}

void expect_cpu(const BackendOptions& options, const std::string& backend) {
  if (options.device != "cpu")
    throw Error(ErrorKind::no_device, "",
                "the backend `" + backend + "` does not run on `" + options.device + "`",
                "`eager`, `ts` and `aoti` do; ONNX Runtime takes a provider, as in "
                "`--backend onnxruntime:CUDAExecutionProvider`");
}

torch::jit::Module module_of(const BackendInput& input, const std::string& backend) {
  if (input.module) return *input.module;
  throw Error(ErrorKind::backend_refused, input.file.string(),
              "the backend `" + backend + "` takes TorchScript files only");
}

} // namespace model_validator::verify
