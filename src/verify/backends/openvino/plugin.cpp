#include "verify/backends/plugin.h"

#include "verify/backends/flat_backend.h"
#include "verify/backends/openvino/compiled_model.h"
#include "verify/backends/openvino/model_file.h"
#include "verify/backends/openvino/types.h"
#include "verify/backends/portion.h"
#include "verify/run/retrace.h"

#include <openvino/core/version.hpp>
#include <openvino/op/parameter.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace model_validator::verify {
namespace {

/// A module as OpenVINO has it, whose inputs go by the names of the module's.
struct ConvertedModule {
  std::shared_ptr<ov::Model> model;
  std::vector<InputPort> ports;

  ConvertedModule(const BackendInput& input, const std::vector<c10::IValue>& examples) {
    const auto flat = retrace(*input.module, clone_inputs(examples));
    model = convert_graph(flat.graph);
    ports = ports_of(*model);
    const NamedTensors given = flat_inputs(examples, input.input_names, Leaves::tensors);
    for (InputPort& port : ports)
      for (std::size_t i = 0; i < given.size() && i < flat.graph->inputs().size(); ++i)
        if (std::ranges::find(port.other_names, flat.graph->inputs()[i]->debugName()) !=
            port.other_names.end()) {
          port.name = given[i].name;
          port.other_names.clear();
        }
  }
};

ModelFunction compile_module(const BackendInput& input, const std::vector<c10::IValue>& examples,
                             const BackendOptions& options) {
  const ConvertedModule module(input, examples);
  return [compiled = compile_for(device_of(options), module.model), ports = module.ports,
          names = input.input_names,
          note = options.note](const std::vector<c10::IValue>& inputs) mutable {
    const auto results =
        infer(compiled, bound_to(ports, flat_inputs(inputs, names, Leaves::tensors), note));
    return c10::ivalue::Tuple::create(std::vector<c10::IValue>(results.begin(), results.end()));
  };
}

bool computes(const ov::Node& operation) {
  const std::string type = operation.get_type_name();
  return type != "Constant" && type != "Parameter" && type != "Result";
}

/// What a model's operations compute, in order.
std::vector<ov::Output<ov::Node>> results_of(const ov::Model& model) {
  std::vector<ov::Output<ov::Node>> results;
  for (const auto& operation : model.get_ordered_ops())
    if (computes(*operation))
      for (const auto& output : operation->outputs()) results.push_back(output);
  return results;
}

/// What a file says of its values: names of tensors, which readers of ONNX keep, and of layers.
enum class Names : bool { of_front_end, of_file };

std::string name_of(const ov::Output<ov::Node>& result, std::size_t index, Names names) {
  const std::string numbered = "result_" + std::to_string(index);
  if (names == Names::of_front_end) return numbered;
  // Of TorchScript, tensors have numbers, and layers the paths of their modules.
  const std::string& layer = result.get_node()->get_friendly_name();
  const bool is_of_torch = layer.find("aten::") != std::string::npos;
  if (!is_of_torch && !result.get_names().empty())
    return *std::ranges::min_element(result.get_names());
  return result.get_node()->get_output_size() == 1 ? layer : numbered;
}

/// Runs copies of a model that show what it computes.
class IntermediateModels {
public:
  IntermediateModels(std::shared_ptr<ov::Model> model, std::vector<at::Tensor> given, Device device,
                     const IntermediateRun& run, Names names)
      : model_(std::move(model)), given_(std::move(given)), device_(std::move(device)), run_(run),
        results_(results_of(*model_)), is_named_(names == Names::of_file) {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      numbers_[{results_[i].get_node(), results_[i].get_index()}] = i;
      const std::string name = name_of(results_[i], i, names);
      names_.push_back(taken.insert(name).second ? name
                                                 : name_of(results_[i], i, Names::of_front_end));
    }
  }

  std::vector<at::Tensor> run() {
    if (run_.visit) show_all();
    return results({});
  }

private:
  void show_all() {
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < results_.size(); ++i)
      if (!run_.wanted || run_.wanted(names_[i])) wanted.push_back(i);
    show_in_portions(wanted, [&](const auto& shown) { return show(shown); });
  }

  /// @returns the bytes that they weigh
  std::size_t show(const std::vector<std::size_t>& shown) {
    const auto tensors = results(shown);
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const auto& tensor = tensors[i];
      bytes += tensor.nbytes();
      const auto& operation = *results_[shown[i]].get_node();
      const std::string type = operation.get_type_name(), node = operation.get_friendly_name();
      run_.visit({names_[shown[i]], is_named_ ? type : type + " " + node, inputs_of(operation),
                  tensor, is_named_ ? node : ""});
    }
    return bytes;
  }

  std::vector<std::string> inputs_of(const ov::Node& operation) const {
    std::vector<std::string> names;
    for (const auto& input : operation.input_values())
      if (const auto found = numbers_.find({input.get_node(), input.get_index()});
          found != numbers_.end())
        names.push_back(names_[found->second]);
    return names;
  }

  /// The requested values; the model's outputs if none are requested.
  std::vector<at::Tensor> results(const std::vector<std::size_t>& asked) const {
    const auto copy = model_->clone();
    const auto own = results_of(*copy);
    std::vector<const ov::Node*> added;
    for (const auto index : asked) added.push_back(copy->add_output(own.at(index)).get_node());
    auto inputs = given_;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto found = run_.replaced.find(names_[i]);
      if (found == run_.replaced.end()) continue;
      copy->add_parameters({put_in_place_of(own[i], found->second)});
      inputs.push_back(found->second);
    }
    auto compiled = compile_for(device_, copy);
    const auto all = infer(compiled, inputs);
    if (asked.empty()) return all;
    // An existing output is not added a second time.
    const auto outputs = copy->outputs();
    std::vector<at::Tensor> tensors;
    for (const auto* node : added)
      tensors.push_back(all.at(static_cast<std::size_t>(
          std::ranges::find_if(outputs,
                               [&](const auto& output) { return output.get_node() == node; }) -
          outputs.begin())));
    return tensors;
  }

  static std::shared_ptr<ov::op::v0::Parameter> put_in_place_of(const ov::Output<ov::Node>& result,
                                                                const at::Tensor& tensor) {
    const ov::Shape shape(tensor.sizes().begin(), tensor.sizes().end());
    auto parameter =
        std::make_shared<ov::op::v0::Parameter>(to_openvino(tensor.scalar_type()), shape);
    for (auto reader : result.get_target_inputs())
      reader.replace_source_output(parameter->output(0));
    return parameter;
  }

  std::shared_ptr<ov::Model> model_;
  std::vector<at::Tensor> given_;
  Device device_;
  const IntermediateRun& run_;
  std::vector<ov::Output<ov::Node>> results_;
  std::vector<std::string> names_; ///< of the results
  bool is_named_;                  ///< by the file
  std::map<std::pair<const ov::Node*, std::size_t>, std::size_t> numbers_;
};

class OpenVinoCpu final : public Backend {
public:
  std::string name() const override { return "openvino"; }
  std::string summary() const override { return "OpenVINO on the CPU"; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>& examples,
                        const BackendOptions& options) const override {
    return input.module ? compile_module(input, examples, options)
                        : compile_file(input, examples, options);
  }
  std::optional<std::vector<at::Tensor>>
  run_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options, const IntermediateRun& run) const override {
    if (input.module) {
      const ConvertedModule module(input, inputs);
      auto given =
          bound_to(module.ports, flat_inputs(inputs, input.input_names, Leaves::tensors), {});
      return IntermediateModels(module.model, std::move(given), device_of(options), run,
                                Names::of_front_end)
          .run();
    }
    const auto [model, given] = read_for(input, inputs);
    return IntermediateModels(model, given, device_of(options), run, Names::of_file).run();
  }
};

} // namespace
} // namespace model_validator::verify

extern "C" __attribute__((visibility("default"))) void
model_validator_register_backend(model_validator::verify::BackendRegistry& registry) {
  registry.add(std::make_shared<model_validator::verify::OpenVinoCpu>());
}

extern "C" __attribute__((visibility("default"))) const char* model_validator_runtime_version() {
  return ov::get_openvino_version().buildNumber;
}
