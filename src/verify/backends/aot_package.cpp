#include "verify/backends/builtin.h"
#include "verify/run/failure.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>

#include <c10/core/GradMode.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

namespace model_validator::verify {
namespace {

using Loader = torch::inductor::AOTIModelPackageLoader;

class AotPackage final : public Backend {
public:
  std::string name() const override { return "aoti"; }
  std::string summary() const override { return "an AOTInductor package (.pt2), run by LibTorch"; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    expect_cpu(options, name()); // a package only runs on the device that it was made for
    std::shared_ptr<Loader> loader;
    try {
      loader = std::make_shared<Loader>(input.file.string());
    } catch (const std::exception& failure) {
      throw Error(ErrorKind::backend_refused, input.file.string(),
                  "the file cannot be loaded as an AOTInductor package: " + sentence_of(failure),
                  "make one with torch._inductor.aoti_compile_and_package");
    }
    return [loader](const std::vector<c10::IValue>& inputs) -> c10::IValue {
      const c10::NoGradGuard no_gradients;
      std::vector<c10::IValue> outputs;
      for (auto& output : loader->run(tensors_of(inputs))) outputs.emplace_back(output);
      return c10::ivalue::Tuple::create(std::move(outputs));
    };
  }
};

} // namespace

std::shared_ptr<const Backend> aoti_backend() { return std::make_shared<AotPackage>(); }

} // namespace model_validator::verify
