#include "verify/backends/builtin.h"
#include "verify/backends/plugin.h"
#include "verify/backends/runtime_version.h"
#include "verify/backends/shared_library.h"

#include <model_validator/error.h>

#include <cstdlib>

namespace model_validator::verify {
namespace {

constexpr const char* hint =
    "install the Python package openvino, in the release that model_validator was built with";

/// OpenVINO's TBB binds the libraries that it loads to the allocator of the C library, whatever the
/// process allocates with: they would free another allocator's memory. This is its switch for that.
void share_allocator() {
  constexpr int keep_what_is_set = 0;
  setenv("TBB_ENABLE_SANITIZERS", "1", keep_what_is_set);
}

/// The plugin names libraries of OpenVINO: those of the Python package next to ours are found once
/// they are loaded.
void load_python_package() {
  std::string why;
  for (const char* library : {"libopenvino.so.", "libopenvino_pytorch_frontend.so."})
    SharedLibrary::open(python_package_files("openvino/libs", library), why);
}

SharedLibrary plugin_library() {
  share_allocator();
  load_python_package();
  std::string why;
  auto library = SharedLibrary::open({library_folder() / "libmodel_validator_openvino.so"}, why);
  if (!library)
    throw Error(ErrorKind::backend_missing, "", "the backend `openvino` cannot be loaded: " + why,
                hint);
  return *library;
}

std::shared_ptr<const Backend> load_plugin() {
  const auto add =
      reinterpret_cast<RegisterBackend>(plugin_library().symbol(register_backend_symbol));
  if (add == nullptr)
    throw Error(ErrorKind::backend_missing, "",
                "the library of the backend `openvino` comes from elsewhere", hint);
  BackendRegistry registry;
  add(registry);
  return registry.find("openvino");
}

/// Loads the library that links OpenVINO when something is to be compiled.
class OpenVino final : public Backend {
public:
  std::string name() const override { return "openvino"; }
  std::string summary() const override {
    return "OpenVINO on the CPU, from TorchScript or an ONNX file";
  }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>& examples,
                        const BackendOptions& options) const override {
    expect_cpu(options, name());
    return load_plugin()->compile(input, examples, options);
  }
  std::optional<std::vector<at::Tensor>>
  run_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options, const IntermediateRun& run) const override {
    return load_plugin()->run_intermediates(input, inputs, options, run);
  }
};

} // namespace

std::string openvino_version() {
  const auto version =
      reinterpret_cast<RuntimeVersion>(plugin_library().symbol(runtime_version_symbol));
  return version == nullptr ? "" : version();
}

std::shared_ptr<const Backend> openvino_backend() { return std::make_shared<OpenVino>(); }

} // namespace model_validator::verify
