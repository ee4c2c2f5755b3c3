#include "verify/command/model_file.h"
#include "verify/library.h"
#include "verify/run/failure.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>

#include <c10/core/InferenceMode.h>

#include <memory>

namespace model_validator::verify {
namespace {

/// A model and, from the first call on, what it was compiled to.
class Runnable {
public:
  Runnable(const std::filesystem::path& file, const ReadOptions& options)
      : model_(open_model(file, options)) {
    if (model_.format == FileFormat::aot_package)
      throw Error(ErrorKind::not_runnable, file.string(),
                  "a compiled package does not say what it takes",
                  "`model_validator verify` runs it with inputs that you give");
    for (const InputNeed& need : model_.needs) names_.push_back(need.name);
  }

  Value run(const std::vector<Tensor>& inputs) {
    if (inputs.size() > model_.needs.size())
      throw Error(ErrorKind::usage, model_.path.string(),
                  "the model takes " + std::to_string(model_.needs.size()) + " inputs, not " +
                      std::to_string(inputs.size()));
    std::vector<c10::IValue> arguments;
    for (const Tensor& input : inputs) arguments.emplace_back(to_torch(input));
    const c10::InferenceMode no_gradients;
    try {
      if (!function_) function_ = compile(arguments);
      return to_value(function_(clone_inputs(arguments)));
    } catch (const Error&) {
      throw;
    } catch (const std::exception& failure) {
      throw Error(ErrorKind::run_failed, model_.path.string(), sentence_of(failure),
                  "look at the inputs that the model takes: `model_validator inspect`");
    }
  }

private:
  ModelFunction compile(const std::vector<c10::IValue>& examples) const {
    try {
      return compile_with(model_.own_backend(), examples);
    } catch (const Error& error) {
      if (model_.format != FileFormat::onnx || error.kind() != ErrorKind::backend_missing) throw;
      return compiled_by_openvino(examples, error);
    }
  }

  /// @throws Error why ONNX Runtime was not there, where OpenVINO is not, either
  ModelFunction compiled_by_openvino(const std::vector<c10::IValue>& examples,
                                     const Error& no_onnxruntime) const {
    try {
      return compile_with("openvino", examples);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::backend_missing) throw no_onnxruntime;
      throw;
    }
  }

  ModelFunction compile_with(const std::string& backend,
                             const std::vector<c10::IValue>& examples) const {
    return BackendRegistry::builtin().find(backend)->compile(model_.backend_input(names_), examples,
                                                             {});
  }

  ModelFile model_;
  std::vector<std::string> names_;
  ModelFunction function_;
};

} // namespace

InferenceFunction make_inference_function(const std::filesystem::path& file,
                                          const ReadOptions& options) {
  const auto model = std::make_shared<Runnable>(file, options);
  return [model](const std::vector<Tensor>& inputs) { return model->run(inputs); };
}

} // namespace model_validator::verify
