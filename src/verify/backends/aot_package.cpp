#include "verify/backends/builtin.h"
#include "verify/run/device.h"
#include "verify/run/failure.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>

#include <c10/core/GradMode.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <string_view>

namespace model_validator::verify {
namespace {

using Loader = torch::inductor::AOTIModelPackageLoader;

/// It only runs on the device that it was made for. @throws Error (`no-device`)
void require_own_device(Loader& loader, const std::filesystem::path& file,
                        const std::string& device) {
  const std::string own = loader.get_metadata()["AOTI_DEVICE_KEY"];
  if (own.empty() || own == device) return;
  throw Error(ErrorKind::no_device, file.string(),
              "the package was made for `" + own + "`, not for `" + device + "`",
              "give `--device " + own + "`");
}

class AotPackage final : public Backend {
public:
  std::string name() const override { return "aoti"; }
  std::string summary() const override { return "an AOTInductor package (.pt2), run by LibTorch"; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    std::shared_ptr<Loader> loader;
    try {
      loader = std::make_shared<Loader>(input.file.string());
    } catch (const std::exception& failure) {
      if (std::string_view(failure.what()).find("temporary directory") != std::string_view::npos)
        throw Error(ErrorKind::backend_refused, input.file.string(),
                    "this torch unpacks packages beneath /tmp alone, where the sandbox lets "
                    "nothing be written",
                    "use a newer torch (2.13 honours TMPDIR), or `--sandbox off` for a package "
                    "that you trust");
      throw Error(ErrorKind::backend_refused, input.file.string(),
                  "the file cannot be loaded as an AOTInductor package: " + sentence_of(failure),
                  "make one with torch._inductor.aoti_compile_and_package");
    }
    require_own_device(*loader, input.file, options.device);
    return
        [loader, device = options.device](const std::vector<c10::IValue>& inputs) -> c10::IValue {
          const c10::NoGradGuard no_gradients;
          std::vector<c10::IValue> outputs;
          for (auto& output : loader->run(tensors_of(on_device(inputs, device))))
            outputs.emplace_back(output.cpu());
          return c10::ivalue::Tuple::create(std::move(outputs));
        };
  }
};

} // namespace

std::shared_ptr<const Backend> aoti_backend() { return std::make_shared<AotPackage>(); }

} // namespace model_validator::verify
