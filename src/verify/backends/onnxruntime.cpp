#include "verify/backends/builtin.h"
#include "verify/backends/flat_backend.h"
#include "verify/backends/onnx_model.h"
#include "verify/backends/onnx_session.h"
#include "verify/backends/portion.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>

#include <memory>

namespace model_validator::verify {
namespace {

OnnxSessionOptions session_options(const BackendOptions& options) {
  return {options.threads, options.optimise, options.provider, "", ""};
}

SharedOnnxModel model_of(const BackendInput& input) {
  return input.onnx ? input.onnx : std::make_shared<OnnxModel>(input.file);
}

OnnxSession open_session(const BackendInput& input, const BackendOptions& options) {
  OnnxSessionOptions session = session_options(options);
  const auto shared = model_of(input);
  if (options.shown.empty()) {
    if (!shared->file().empty()) return open_onnx(shared->file(), session);
    OnnxParts parts = shared->parts();
    session.model = parts.serialised_structure();
    session.at_hand = std::move(parts.weights);
    return open_onnx(input.file, session);
  }
  const auto model = shared->intermediates();
  std::vector<std::string> outputs = model->outputs();
  outputs.insert(outputs.end(), options.shown.begin(), options.shown.end());
  session.model = model->variant(outputs, {});
  session.weights = model->weights();
  return open_onnx(input.file, session);
}

/// Runs variants of a model that show what it computes.
class IntermediateSessions {
public:
  IntermediateSessions(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                       const BackendOptions& options, const IntermediateRun& run)
      : file_(input.file), model_(model_of(input)->intermediates()), run_(run),
        given_(flat_inputs(inputs, input.input_names)), options_(session_options(options)) {
    options_.weights = model_->weights();
    for (const auto& [name, tensor] : run.replaced) replaced_.push_back({name, to_tensor(tensor)});
    given_.insert(given_.end(), replaced_.begin(), replaced_.end());
  }

  std::vector<at::Tensor> run() {
    if (run_.visit) show_all();
    std::vector<at::Tensor> outputs;
    for (const auto& [name, tensor] : results(model_->outputs()))
      outputs.push_back(to_torch(tensor));
    return outputs;
  }

private:
  void show_all() {
    std::vector<const OnnxValue*> wanted;
    for (const auto& value : model_->values())
      if (!run_.wanted || run_.wanted(value.name)) wanted.push_back(&value);
    show_in_portions(wanted, [&](const auto& values) { return show(values); });
  }

  /// @returns the bytes that they weigh
  std::size_t show(const std::vector<const OnnxValue*>& values) {
    std::vector<std::string> names;
    for (const auto* value : values) names.push_back(value->name);
    std::size_t bytes = 0, next = 0;
    for (const auto& [name, result] : results(names)) {
      const auto& value = *values.at(next++);
      const auto tensor = to_torch(result);
      bytes += tensor.nbytes();
      run_.visit({value.name, value.op, value.inputs, tensor, value.node, value.reads_inputs,
                  value.last_operand});
    }
    return bytes;
  }

  NamedTensors results(const std::vector<std::string>& names) {
    options_.model = model_->variant(names, replaced_);
    const auto session = open_onnx(file_, options_);
    return session.run(bound_inputs(session.inputs, given_, {}));
  }

  std::filesystem::path file_;
  std::shared_ptr<const OnnxIntermediates> model_;
  const IntermediateRun& run_;
  NamedTensors given_, replaced_;
  OnnxSessionOptions options_;
};

class OnnxRuntime final : public Backend {
public:
  std::string name() const override { return "onnxruntime"; }
  std::string summary() const override { return "an ONNX file, run by ONNX Runtime"; }
  bool is_reusable() const override { return true; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    expect_cpu(options, name());
    if (input.module)
      throw Error(ErrorKind::backend_refused, input.file.string(),
                  "the backend `onnxruntime` takes ONNX files only",
                  "export it to ONNX, and verify that file against this one");
    const auto run = [session = open_session(input, options),
                      note = options.note](const NamedTensors& inputs) {
      return session.run(bound_inputs(session.inputs, inputs, note));
    };
    return from_flat(run, input.input_names);
  }
  std::optional<std::vector<at::Tensor>>
  run_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options, const IntermediateRun& run) const override {
    return IntermediateSessions(input, inputs, options, run).run();
  }
};

} // namespace

std::shared_ptr<const Backend> onnxruntime_backend() { return std::make_shared<OnnxRuntime>(); }

} // namespace model_validator::verify
