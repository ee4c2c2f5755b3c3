#include "partition/torchscript/shapes.h"

#include "connected_graph/torchscript/tensor_type.h"
#include "verify/run/signature.h"

#include <model_validator/verify/interpreter.h>

namespace model_validator::partition {
namespace {

class ShapeRecorder final : public verify::RunObserver {
public:
  void on_step(const verify::Step& step) override {
    const auto outputs = step.node.outputs();
    for (std::size_t i = 0; i < outputs.size() && i < step.outputs.size(); ++i)
      note(outputs[i], step.outputs[i]);
  }

  void note(const torch::jit::Value* value, const c10::IValue& is) {
    if (is.isTensor() && is.toTensor().defined())
      types[value] = torchscript::type_of(is.toTensor());
  }

  ValueTypes types;
};

} // namespace

ValueTypes infer_shapes(const FlatModule& flat, const torch::jit::Module& source,
                        const verify::InputOptions& inputs) {
  const auto samples = verify::make_samples(verify::needs_of(source), inputs);
  const auto arguments = verify::to_arguments(source, samples.at(0));
  ShapeRecorder recorder;
  const auto parameters = flat.graph()->inputs(); // behind the module itself
  for (std::size_t i = 0; i < arguments.size() && i + 1 < parameters.size(); ++i)
    recorder.note(parameters[i + 1], arguments[i]);
  verify::Interpreter(flat.module, verify::RunMode::shapes).run(arguments, &recorder);
  return std::move(recorder.types);
}

} // namespace model_validator::partition
