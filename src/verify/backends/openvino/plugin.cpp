#include "verify/backends/plugin.h"

#include "verify/backends/flat_backend.h"
#include "verify/backends/openvino/compiled_model.h"
#include "verify/run/retrace.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>

#include <openvino/runtime/core.hpp>

namespace model_validator::verify {
namespace {

c10::IValue tuple_of(std::vector<at::Tensor> tensors) {
  std::vector<c10::IValue> values(tensors.begin(), tensors.end());
  return c10::ivalue::Tuple::create(std::move(values));
}

ModelFunction compile_module(const BackendInput& input, const std::vector<c10::IValue>& examples,
                             unsigned threads) {
  const auto flat = retrace(*input.module, clone_inputs(examples));
  auto compiled = compile_for_cpu(convert_graph(flat.graph), threads);
  return [compiled](const std::vector<c10::IValue>& inputs) mutable {
    return tuple_of(infer(compiled, input_tensors(inputs)));
  };
}

/// Where each of the model's inputs stands among what is given: by name, else by position.
std::vector<at::Tensor> in_order(const ov::CompiledModel& model, const NamedTensors& given) {
  std::vector<at::Tensor> ordered;
  for (const auto& port : model.inputs())
    for (const auto& [name, tensor] : given)
      if (port.get_names().count(name) != 0) ordered.push_back(to_torch(tensor));
  if (ordered.size() == model.inputs().size()) return ordered;
  ordered.clear();
  for (const auto& [name, tensor] : given) ordered.push_back(to_torch(tensor));
  return ordered;
}

std::shared_ptr<ov::Model> read_model(const std::filesystem::path& file) {
  ov::Core core;
  try {
    return core.read_model(file.string());
  } catch (const std::exception& failure) {
    throw Error("backend-refused", file.string(),
                std::string("OpenVINO cannot read the model: ") + failure.what());
  }
}

ModelFunction compile_file(const BackendInput& input, unsigned threads) {
  auto compiled = compile_for_cpu(read_model(input.file), threads);
  return [compiled, names = input.input_names](const std::vector<c10::IValue>& inputs) mutable {
    return tuple_of(infer(compiled, in_order(compiled, flat_inputs(inputs, names))));
  };
}

/// So many at a time: all at once would keep every tensor of the model.
constexpr std::size_t outputs_at_a_time = 64;

using GivenInputs = std::function<std::vector<at::Tensor>(const ov::CompiledModel&)>;

/// Makes outputs of the results of so many operations of a copy of the model, from `first` on.
/// @returns the copy, or null when there is nothing left
std::shared_ptr<ov::Model> exposed(const std::shared_ptr<ov::Model>& model, std::size_t first) {
  const auto copy = model->clone();
  std::size_t index = 0, exposed = 0;
  for (const auto& operation : copy->get_ordered_ops()) {
    const std::string type = operation->get_type_name();
    if (type == "Constant" || type == "Parameter" || type == "Result") continue;
    for (const auto& output : operation->outputs()) {
      if (index++ < first || exposed == outputs_at_a_time) continue;
      copy->add_output(output);
      ++exposed;
    }
  }
  return exposed == 0 ? nullptr : copy;
}

void visit_results(const std::shared_ptr<ov::Model>& model, const GivenInputs& given,
                   unsigned threads, const IntermediateVisitor& visit) {
  const auto own_outputs = model->outputs().size();
  for (std::size_t first = 0;; first += outputs_at_a_time) {
    const auto part = exposed(model, first);
    if (!part) return;
    auto compiled = compile_for_cpu(part, threads);
    const auto results = infer(compiled, given(compiled));
    for (std::size_t i = own_outputs; i < results.size(); ++i)
      visit("result_" + std::to_string(first + i - own_outputs), results[i]);
  }
}

class OpenVinoCpu final : public Backend {
public:
  std::string name() const override { return "openvino"; }
  std::string summary() const override { return "OpenVINO on the CPU"; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>& examples,
                        const BackendOptions& options) const override {
    return input.module ? compile_module(input, examples, options.threads)
                        : compile_file(input, options.threads);
  }
  bool visit_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                           const BackendOptions& options,
                           const IntermediateVisitor& visit) const override {
    if (input.module) {
      const auto flat = retrace(*input.module, clone_inputs(inputs));
      const auto given = [&](const ov::CompiledModel&) { return input_tensors(inputs); };
      visit_results(convert_graph(flat.graph), given, options.threads, visit);
    } else {
      const auto given = [&](const ov::CompiledModel& model) {
        return in_order(model, flat_inputs(inputs, input.input_names));
      };
      visit_results(read_model(input.file), given, options.threads, visit);
    }
    return true;
  }
};

} // namespace
} // namespace model_validator::verify

extern "C" __attribute__((visibility("default"))) void
model_validator_register_backend(model_validator::verify::BackendRegistry& registry) {
  registry.add(std::make_shared<model_validator::verify::OpenVinoCpu>());
}
