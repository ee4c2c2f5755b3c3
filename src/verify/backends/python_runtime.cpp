// Runtimes that only Python has, each a row of a table with a program beside it.
#include "introspection/edge_model.h"
#include "verify/backends/bound_inputs.h"
#include "verify/backends/builtin.h"
#include "verify/backends/flat_backend.h"
#include "verify/backends/portion.h"
#include "verify/backends/python_sources.h"
#include "verify/backends/python_worker.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

#include <algorithm>
#include <array>

namespace model_validator::verify {
namespace {

struct PythonRuntime {
  const char* name;
  const char* words;
  const char* package; ///< of PyPI
  FileFormat format;
  const char* ending;
  const char* summary;
  std::string (*program)();
  EdgeModel (*read)(const std::filesystem::path& file);
  bool shows; ///< what happens inside of a model
};

constexpr std::array runtimes{
    PythonRuntime{"litert", "LiteRT", "ai-edge-litert", FileFormat::litert, ".tflite",
                  "a .tflite file, run by LiteRT in Python", litert_program, read_litert_model,
                  true},
    PythonRuntime{"executorch", "ExecuTorch", "executorch", FileFormat::executorch, ".pte",
                  "a .pte file, run by ExecuTorch in Python", executorch_program,
                  read_executorch_program, false},
};

Json ports_json(const std::vector<EdgePort>& ports) {
  return json_array(ports, [](const EdgePort& port) { return Json{port.name, port.value}; });
}

std::vector<InputPort> ports_of(const EdgeModel& model) {
  std::vector<InputPort> ports;
  for (const EdgePort& port : model.inputs) {
    const EdgeValue& value = model.values.at(port.value);
    // What is stored in steps is given in floats.
    const auto dtype = value.is_stepped ? DType::float32 : parse_dtype(value.dtype);
    ports.push_back({port.name, dtype, value.shape.value_or(Shape()), {value.name}, true});
  }
  return ports;
}

/// A model in a Python process.
class LoadedModel {
public:
  LoadedModel(const PythonRuntime& runtime, const std::filesystem::path& file,
              const BackendOptions& options, bool shows)
      : model_(runtime.read(file)), ports_(ports_of(model_)),
        worker_(runtime.words, runtime.package, runtime.program()) {
    nodes_ = worker_
                 .ask({{"file", std::filesystem::absolute(file).string()},
                       {"entry", model_.entry},
                       {"graph", model_.graph},
                       {"inputs", ports_json(model_.inputs)},
                       {"outputs", ports_json(model_.outputs)},
                       {"threads", options.threads},
                       {"optimise", options.optimise && !shows},
                       {"keep_state", options.keep_state},
                       {"shows", shows}})
                 .at("nodes");
    if (options.note && model_.entries.size() > 1)
      options.note("of the " + std::to_string(model_.entries.size()) +
                   " entry points of the file, `" + model_.entry + "` is run");
  }

  NamedTensors run(const NamedTensors& given, const std::function<void(const std::string&)>& note) {
    return named(
        worker_.arrays_for({{"shown", Json::array()}}, bound_inputs(ports_, given, note), {}));
  }

  std::vector<at::Tensor> show(const NamedTensors& given, const IntermediateRun& run) {
    const auto bound = bound_inputs(ports_, given, {});
    NamedTensors replaced;
    for (const auto& [name, tensor] : run.replaced) replaced.push_back({name, to_tensor(tensor)});
    std::vector<const Json*> wanted;
    for (const Json& node : nodes_)
      if (run.visit && (!run.wanted || run.wanted(node.at(0)))) wanted.push_back(&node);
    std::vector<at::Tensor> outputs;
    const auto ask = [&](const std::vector<const Json*>& shown) {
      Json names = Json::array();
      for (const Json* node : shown) names.push_back(node->at(0));
      auto arrays = worker_.arrays_for({{"shown", names}}, bound, replaced);
      outputs.clear();
      std::size_t bytes = 0;
      for (std::size_t i = 0; i < arrays.size(); ++i) {
        const at::Tensor tensor = to_torch(arrays[i].tensor);
        if (i >= shown.size()) {
          outputs.push_back(tensor);
          continue;
        }
        bytes += tensor.nbytes();
        const Json& node = *shown[i];
        run.visit({node.at(0), node.at(1), node.at(2), tensor, node.at(0), node.at(3)});
      }
      return bytes;
    };
    show_in_portions(wanted, ask);
    if (wanted.empty()) ask({});
    return outputs;
  }

private:
  NamedTensors named(NamedTensors arrays) const {
    for (std::size_t i = 0; i < arrays.size() && i < model_.outputs.size(); ++i)
      arrays[i].name = model_.outputs[i].name;
    return arrays;
  }

  EdgeModel model_;
  std::vector<InputPort> ports_;
  PythonWorker worker_;
  Json nodes_;
};

class PythonBackend final : public Backend {
public:
  explicit PythonBackend(const PythonRuntime& runtime) : runtime_(runtime) {}

  std::string name() const override { return runtime_.name; }
  std::string summary() const override { return runtime_.summary; }
  bool is_reusable() const override { return true; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    expect_cpu(options, name());
    if (input.module || recognise(input.file) != runtime_.format)
      throw Error(ErrorKind::backend_refused, input.file.string(),
                  "the backend `" + name() + "` takes " + runtime_.ending + " files only",
                  "convert the model, and give the file as the candidate");
    const auto model = std::make_shared<LoadedModel>(runtime_, input.file, options, false);
    return from_flat([model, note = options.note](
                         const NamedTensors& inputs) { return model->run(inputs, note); },
                     input.input_names);
  }
  std::optional<std::vector<at::Tensor>>
  run_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options, const IntermediateRun& run) const override {
    if (!runtime_.shows) return std::nullopt;
    if (!shown_) shown_ = std::make_unique<LoadedModel>(runtime_, input.file, options, true);
    return shown_->show(flat_inputs(inputs, input.input_names), run);
  }

private:
  const PythonRuntime& runtime_;
  mutable std::unique_ptr<LoadedModel> shown_; ///< stays, as one model is run again and again
};

} // namespace

void add_python_backends(BackendRegistry& registry) {
  for (const PythonRuntime& runtime : runtimes)
    registry.add(std::make_shared<PythonBackend>(runtime));
}

bool is_run_by_python(std::string_view backend) {
  return std::ranges::find(runtimes, backend, &PythonRuntime::name) != runtimes.end();
}

} // namespace model_validator::verify
