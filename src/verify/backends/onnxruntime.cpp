#include "verify/backends/builtin.h"
#include "verify/backends/flat_backend.h"
#include "verify/backends/onnx_intermediates.h"
#include "verify/backends/onnx_session.h"
#include "verify/backends/portion.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <functional>

namespace model_validator::verify {
namespace {

const NamedTensor* named(const NamedTensors& tensors, const std::string& name) {
  const auto found = std::ranges::find(tensors, name, &NamedTensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

template <class Named> std::string names_of(const std::vector<Named>& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back("`" + item.name + "`");
  return names.empty() ? "none" : boost::join(names, ", ");
}

/// `[N, 64]` for `[-1, 64]`.
std::string declared(const OnnxPort& port) {
  return boost::replace_all_copy(to_string(port.shape), "-1", "N");
}

/// A port without dimensions is a scalar or does not say.
bool takes(const OnnxPort& port, const Shape& shape) {
  return port.shape.empty() ||
         std::ranges::equal(port.shape, shape, [](std::int64_t fixed, std::int64_t size) {
           return fixed < 0 || fixed == size;
         });
}

NamedTensor given_to(const OnnxPort& port, const NamedTensor& input) {
  const Shape& shape = input.tensor.view.shape;
  if (!takes(port, shape))
    throw Error(ErrorKind::bad_inputs, "",
                "the input `" + port.name + "` is " + declared(port) + " in the ONNX file but " +
                    to_string(shape) + " is given",
                "give inputs of that shape, or export the model with dynamic sizes");
  return {port.name, input.tensor};
}

/// Sorts inputs into the order of the ports: by name where all names are the model's, else by
/// position. @throws Error (`bad-inputs`)
NamedTensors in_order_of(const std::vector<OnnxPort>& ports, const NamedTensors& inputs) {
  const bool by_name = std::ranges::all_of(
      ports, [&](const OnnxPort& port) { return named(inputs, port.name) != nullptr; });
  NamedTensors ordered;
  if (by_name) {
    // An exporter drops inputs that nothing uses.
    for (const auto& port : ports) ordered.push_back(given_to(port, *named(inputs, port.name)));
    return ordered;
  }
  if (ports.size() != inputs.size())
    throw Error(ErrorKind::bad_inputs, "",
                "the candidate expects the inputs " + names_of(ports) + " but is given " +
                    names_of(inputs));
  for (std::size_t i = 0; i < ports.size(); ++i) ordered.push_back(given_to(ports[i], inputs[i]));
  return ordered;
}

/// Inputs in the order of the ports, in the dtypes that these declare.
/// @throws Error (`bad-inputs`) where a number does not fit
NamedTensors inputs_for(const std::vector<OnnxPort>& ports, const NamedTensors& given,
                        const std::function<void(const std::string&)>& note) {
  NamedTensors ordered = in_order_of(ports, given);
  for (std::size_t i = 0; i < ports.size(); ++i)
    ordered[i].tensor = as_declared(ordered[i], ports[i].dtype, note);
  return ordered;
}

OnnxSessionOptions session_options(const BackendOptions& options) {
  return {options.threads, options.optimise, options.provider, "", ""};
}

/// Runs variants of a model that show what it computes.
class IntermediateSessions {
public:
  IntermediateSessions(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                       const BackendOptions& options, const IntermediateRun& run)
      : file_(input.file), model_(input.file), run_(run),
        given_(flat_inputs(inputs, input.input_names)), options_(session_options(options)) {
    options_.weights = model_.weights();
    for (const auto& [name, tensor] : run.replaced) replaced_.push_back({name, to_tensor(tensor)});
    given_.insert(given_.end(), replaced_.begin(), replaced_.end());
  }

  std::vector<at::Tensor> run() {
    if (run_.visit) show_all();
    std::vector<at::Tensor> outputs;
    for (const auto& [name, tensor] : results(model_.outputs()))
      outputs.push_back(to_torch(tensor));
    return outputs;
  }

private:
  void show_all() {
    std::vector<const OnnxValue*> wanted;
    for (const auto& value : model_.values())
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
      run_.visit({value.name, value.op, value.inputs, tensor, value.node, value.reads_inputs});
    }
    return bytes;
  }

  NamedTensors results(const std::vector<std::string>& names) {
    options_.model = model_.variant(names, replaced_);
    const auto session = open_onnx(file_, options_);
    return session.run(inputs_for(session.inputs, given_, {}));
  }

  std::filesystem::path file_;
  OnnxIntermediates model_;
  const IntermediateRun& run_;
  NamedTensors given_, replaced_;
  OnnxSessionOptions options_;
};

class OnnxRuntime final : public Backend {
public:
  std::string name() const override { return "onnxruntime"; }
  std::string summary() const override { return "an ONNX file, run by ONNX Runtime"; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    expect_cpu(options, name());
    if (input.module)
      throw Error(ErrorKind::backend_refused, input.file.string(),
                  "the backend `onnxruntime` takes ONNX files only",
                  "export it to ONNX, and verify that file against this one");
    const auto run = [session = open_onnx(input.file, session_options(options)),
                      note = options.note](const NamedTensors& inputs) {
      return session.run(inputs_for(session.inputs, inputs, note));
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
