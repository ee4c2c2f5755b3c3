#include "verify/backends/builtin.h"
#include "verify/backends/flat_backend.h"
#include "verify/backends/onnx_intermediates.h"
#include "verify/backends/onnx_session.h"
#include "verify/run/signature.h"

#include <algorithm>

namespace model_validator::verify {
namespace {

/// So many at a time: all at once would keep every tensor of the model.
constexpr std::size_t outputs_at_a_time = 64;

class OnnxRuntime final : public Backend {
public:
  std::string name() const override { return "onnxruntime"; }
  std::string summary() const override { return "an ONNX file, run by ONNX Runtime"; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    OnnxSessionOptions session_options;
    session_options.threads = options.threads;
    const std::shared_ptr<OnnxSession> session = open_onnx(input.file, session_options);
    return from_flat([session](const NamedTensors& inputs) { return session->run(inputs); },
                     input.input_names);
  }
  bool visit_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                           const BackendOptions& options,
                           const IntermediateVisitor& visit) const override {
    OnnxIntermediates model(input.file);
    const auto given = flat_inputs(inputs, input.input_names);
    for (std::size_t i = 0; i < model.names().size(); i += outputs_at_a_time) {
      const auto last = std::min(i + outputs_at_a_time, model.names().size());
      OnnxSessionOptions session_options;
      session_options.threads = options.threads;
      session_options.model = model.with_outputs(i, last);
      for (const auto& [name, tensor] : open_onnx(input.file, session_options)->run(given))
        visit(name, to_torch(tensor));
    }
    return true;
  }
};

} // namespace

std::shared_ptr<const Backend> onnxruntime_backend() { return std::make_shared<OnnxRuntime>(); }

} // namespace model_validator::verify
