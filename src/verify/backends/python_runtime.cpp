// Runtimes that are loaded by Python, each a row of a table with a program beside it.
#include "introspection/edge_model.h"
#include "verify/backends/bound_inputs.h"
#include "verify/backends/builtin.h"
#include "verify/backends/flat_backend.h"
#include "verify/backends/flat_module_file.h"
#include "verify/backends/portion.h"
#include "verify/backends/python_sources.h"
#include "verify/backends/python_worker.h"
#include "verify/backends/runtime_message.h"
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

  /// It takes modules and any file, and says itself what a model declares.
  bool takes_all() const { return read == nullptr; }
};

constexpr std::array runtimes{
    PythonRuntime{"litert", "LiteRT", "ai-edge-litert", FileFormat::litert, ".tflite",
                  "a .tflite file, run by LiteRT in Python", litert_program, read_litert_model,
                  true},
    PythonRuntime{"executorch", "ExecuTorch", "executorch", FileFormat::executorch, ".pte",
                  "a .pte file, run by ExecuTorch in Python", executorch_program,
                  read_executorch_program, false},
    PythonRuntime{"openvino", "OpenVINO", "openvino", FileFormat::unknown, "",
                  "OpenVINO in Python, from TorchScript or an ONNX file", openvino_program, nullptr,
                  true},
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

std::vector<InputPort> ports_in(const Json& rows) {
  std::vector<InputPort> ports;
  for (const Json& row : rows)
    ports.push_back({row.at(0), dtype_named(row.at(1).get<std::string>()), row.at(2), row.at(3)});
  return ports;
}

/// What it is compiled for, where it does not take the sizes that its file leaves open.
Json sizes_json(const NamedTensors& given) {
  return json_array(given, [](const NamedTensor& input) {
    return Json{input.name, input.tensor.view.shape};
  });
}

NamedTensors leaves_of(const BackendInput& input, const std::vector<c10::IValue>& inputs) {
  return flat_inputs(inputs, input.input_names, input.module ? Leaves::tensors : Leaves::all);
}

/// A model in a Python process.
class LoadedModel {
public:
  LoadedModel(const PythonRuntime& runtime, const BackendInput& input,
              const std::vector<c10::IValue>& examples, const BackendOptions& options, bool shows)
      : input_(input), note_(options.note),
        worker_(free_python_worker(runtime.words, package_of(runtime, input), runtime.program())) {
    const auto flat = worker_->folder() / "flat.pt";
    if (input.module) write_flat_module(*input.module, examples, flat);
    Json asked{{"file", (input.module ? flat : std::filesystem::absolute(input.file)).string()},
               {"is_flat", input.module.has_value()},
               {"given", sizes_json(leaves_of(input, examples))},
               {"device", options.provider},
               {"threads", options.threads},
               {"optimise", options.optimise && !shows},
               {"keep_state", options.keep_state},
               {"shows", shows}};
    if (!runtime.takes_all()) declare(runtime.read(input.file), asked);
    const auto remove = [](const std::filesystem::path* written) {
      std::filesystem::remove(*written);
    };
    const std::unique_ptr<const std::filesystem::path, decltype(remove)> removed(&flat, remove);
    const Json answer = worker_->ask(asked);
    nodes_ = answer.at("nodes");
    if (!runtime.takes_all()) return;
    ports_ = ports_in(answer.at("inputs"));
    outputs_ = answer.at("outputs");
    note_sizes(answer);
  }

  c10::IValue run(const std::vector<c10::IValue>& inputs) {
    auto [arrays, said] = worker_->arrays_for(
        {{"shown", Json::array()}}, bound_inputs(ports_, leaves_of(input_, inputs), note_), {});
    note_sizes(said);
    if (!input_.module) return named_tuple(named(std::move(arrays)));
    std::vector<c10::IValue> results;
    for (const auto& [name, tensor] : arrays) results.emplace_back(to_torch(tensor));
    return c10::ivalue::Tuple::create(std::move(results));
  }

  std::vector<at::Tensor> show(const std::vector<c10::IValue>& inputs, const IntermediateRun& run) {
    const auto bound = bound_inputs(ports_, leaves_of(input_, inputs), {});
    NamedTensors replaced;
    for (const auto& [name, tensor] : run.replaced) replaced.push_back({name, to_tensor(tensor)});
    std::vector<const Json*> wanted;
    for (const Json& node : nodes_)
      if (run.visit && (!run.wanted || run.wanted(node.at(0)))) wanted.push_back(&node);
    const auto results = [&](const std::vector<const Json*>& shown) {
      Json names = Json::array();
      for (const Json* node : shown) names.push_back(node->at(0));
      std::vector<at::Tensor> tensors;
      for (const auto& [name, tensor] :
           worker_->arrays_for({{"shown", names}, {"own", run.shows_own}}, bound, replaced).arrays)
        tensors.push_back(to_torch(tensor));
      return tensors;
    };
    show_in_portions(wanted, bytes_given(bound), [&](const std::vector<const Json*>& shown) {
      const auto tensors = results(shown);
      std::size_t bytes = 0;
      for (std::size_t i = 0; i < shown.size(); ++i) {
        bytes += tensors[i].nbytes();
        const Json& node = *shown[i];
        run.visit({node.at(0), node.at(1), node.at(2), tensors[i], node.at(4), node.at(3)});
      }
      return bytes;
    });
    if (!run.needs_outputs) return {};
    return results({}); // ops of what is shown may not have been computed as one
  }

private:
  static std::string package_of(const PythonRuntime& runtime, const BackendInput& input) {
    return std::string(runtime.package) + (input.module ? "` and `torch" : "");
  }

  void declare(const EdgeModel& model, Json& asked) {
    ports_ = ports_of(model);
    for (const EdgePort& output : model.outputs) outputs_.push_back(output.name);
    asked["entry"] = model.entry;
    asked["graph"] = model.graph;
    asked["inputs"] = ports_json(model.inputs);
    asked["outputs"] = ports_json(model.outputs);
    if (note_ && model.entries.size() > 1)
      note_("of the " + std::to_string(model.entries.size()) + " entry points of the file, `" +
            model.entry + "` is run");
  }

  /// Where it was not compiled for all sizes.
  void note_sizes(const Json& answer) const {
    if (note_ && answer.contains("refusal"))
      note_("OpenVINO was given the shapes of the inputs (" + answer.value("sizes", "") +
            ") and runs no others: with the sizes that the file leaves open, OpenVINO says: " +
            runtime_message(answer.value("refusal", "")));
  }

  NamedTensors named(NamedTensors arrays) const {
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const bool has_name = i < outputs_.size() && !outputs_[i].empty();
      arrays[i].name = has_name ? outputs_[i] : std::to_string(i);
    }
    return arrays;
  }

  BackendInput input_;
  std::function<void(const std::string&)> note_;
  std::vector<InputPort> ports_;
  std::vector<std::string> outputs_; ///< empty: nameless
  std::shared_ptr<PythonWorker> worker_;
  Json nodes_;
};

class PythonBackend final : public Backend {
public:
  explicit PythonBackend(const PythonRuntime& runtime) : runtime_(runtime) {}

  std::string name() const override { return runtime_.name; }
  std::string summary() const override { return runtime_.summary; }
  bool is_reusable() const override { return !runtime_.takes_all(); }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>& examples,
                        const BackendOptions& options) const override {
    expect_cpu(options, name());
    if (!runtime_.takes_all() && (input.module || recognise(input.file) != runtime_.format))
      throw Error(ErrorKind::backend_refused, input.file.string(),
                  "the backend `" + name() + "` takes " + runtime_.ending + " files only",
                  "convert the model, and give the file as the candidate");
    const auto model = std::make_shared<LoadedModel>(runtime_, input, examples, options, false);
    return [model](const std::vector<c10::IValue>& inputs) { return model->run(inputs); };
  }
  std::optional<std::vector<at::Tensor>>
  run_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options, const IntermediateRun& run) const override {
    if (!runtime_.shows) return std::nullopt;
    if (!shown_) shown_ = std::make_unique<LoadedModel>(runtime_, input, inputs, options, true);
    return shown_->show(inputs, run);
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
  return backend == "subgraphs" ||
         std::ranges::find(runtimes, backend, &PythonRuntime::name) != runtimes.end();
}

bool takes_own_files_alone(std::string_view backend) {
  const auto found = std::ranges::find(runtimes, backend, &PythonRuntime::name);
  return found != runtimes.end() && !found->takes_all();
}

} // namespace model_validator::verify
