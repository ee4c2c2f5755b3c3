#include "verify/command/model_file.h"

#include "connected_graph/format_table.h"
#include "connected_graph/shapes/symbolic_shapes.h"
#include "connected_graph/torchscript/file/large_stack.h"
#include "connected_graph/torchscript/file/load.h"
#include "introspection/openvino_ir.h"
#include "introspection/weight_samples.h"
#include "partition/subgraph_folder.h"
#include "verify/command/edge_precision.h"
#include "verify/command/openvino_precision.h"
#include "verify/flat_program/program_module.h"
#include "verify/inputs/bounds.h"
#include "verify/inputs/input_meaning.h"
#include "verify/run/named_devices.h"
#include "verify/run/number_constants.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::verify {

ReadOptions named_by_graph(ReadOptions options) {
  options.file_operators = false; // only verdicts on targets read them
  return options;
}

namespace {

enum class Reading {
  declarations,
  all ///< runs the file's own code; weights are computed with, so they are not mapped from the file
};

torch::jit::Module load_module(const std::filesystem::path& file, const ReadOptions& options,
                               Reading reading) {
  torchscript::LoadOptions load;
  load.operator_libraries = options.operator_libraries;
  load.run_setstate = reading == Reading::all;
  load.map_weights = reading == Reading::declarations;
  std::optional<torch::jit::Module> module;
  torchscript::with_large_stack([&] { module = torchscript::load_file(file, load).module; });
  return *module;
}

/// What the file calls the free sizes of an input; empty for those without a name.
std::vector<std::string> names_of_sizes(const ConnectedGraph& graph, OpId input) {
  std::vector<std::string> names;
  const auto shape = known_shape(graph, input, 0, {});
  for (const shapes::Size size : shape.value_or(shapes::Shape())) {
    const auto symbols = graph.shapes->sizes.symbols_in(size);
    names.push_back(symbols.empty() ? "" : graph.shapes->sizes.axis_of(symbols.front()).name);
  }
  return names;
}

/// Inputs of a format whose graph declares their types.
std::vector<InputNeed> declared_needs(const ConnectedGraph& graph,
                                      const std::filesystem::path& file) {
  std::vector<InputNeed> needs;
  for (const auto id : graph.inputs()) {
    const auto& input = graph.op(id);
    InputNeed need;
    need.name = input.name;
    need.type = "Tensor";
    if (!input.outputs.empty()) {
      need.shape = input.outputs[0].shape;
      need.dtype = parse_dtype(input.outputs[0].dtype);
    }
    need.symbols = names_of_sizes(graph, id);
    needs.push_back(std::move(need));
  }
  find_meanings(graph, needs, sampler_of(graph, file));
  return needs;
}

/// The inputs of an OpenVINO model, which are found by the names of their tensors.
std::vector<InputNeed> ir_needs(const std::filesystem::path& file) {
  const OpenVinoIr ir = read_openvino_ir(file);
  std::vector<InputNeed> needs;
  for (std::size_t i = 0; i < ir.layers.size(); ++i) {
    const IrLayer& layer = ir.layers[i];
    if (layer.type != "Parameter" || ir.lies_in_body(i)) continue;
    InputNeed need;
    need.name = layer.value_name();
    need.type = "Tensor";
    need.shape = shape_of_ir(layer.shape);
    need.dtype = parse_dtype(dtype_of_ir(layer.element_type));
    needs.push_back(std::move(need));
  }
  find_meanings(needs);
  const auto ranges = input_ranges_of_openvino_model(file);
  for (InputNeed& need : needs)
    if (const auto found = ranges.find(need.name); found != ranges.end())
      need.meaning.calibrated = found->second;
  return needs;
}

/// Those of a model that its runtime runs in Python. What it stores in steps is given in floats.
std::vector<InputNeed> edge_needs(const EdgeModel& model) {
  std::vector<InputNeed> needs;
  for (const EdgePort& port : model.inputs) {
    const EdgeValue& value = model.values[port.value];
    InputNeed need;
    need.name = port.name;
    need.type = "Tensor";
    need.shape = value.shape;
    need.dtype = value.is_stepped ? DType::float32 : parse_dtype(value.dtype);
    need.meaning.calibrated = range_of_input(model, port.value);
    needs.push_back(std::move(need));
  }
  find_meanings(needs);
  return needs;
}

ModelFile read_model(const std::filesystem::path& file, const ReadOptions& options, Reading reading,
                     const ConnectedGraph* graph) {
  ModelFile model{file, FileFormat::unknown, std::nullopt, {}, options, nullptr};
  model.format = graph != nullptr ? graph->origin.format : recognise(file);
  // Says why it cannot be read.
  if (const Format& format = format_of(model.format); format.run_by == nullptr)
    format.read(file, options);
  if (model.is_torchscript()) {
    model.module = load_module(file, options, reading);
    number_constants(*model.module);
    model.names_gpu = name_cpu(*model.module);
    model.needs = needs_of(*model.module, file);
  } else if (model.format == FileFormat::exported_program) {
    ProgramModule program =
        load_program(file, named_by_graph(options),
                     reading == Reading::all ? ProgramContent::all : ProgramContent::declaration);
    model.module = std::move(program.module);
    name_where_it_runs(*model.module);
    model.program = std::move(program.inputs);
    model.needs = model.program->needs();
  } else if (model.format == FileFormat::onnx) {
    model.needs =
        declared_needs(graph != nullptr ? *graph : read_graph(file, named_by_graph(options)), file);
  } else if (model.format == FileFormat::openvino_ir) {
    model.needs = ir_needs(file);
  } else if (const auto read = reader_of_edge_model(model.format)) {
    model.needs = edge_needs(read(file));
  }
  return model;
}

} // namespace

std::string ModelFile::own_backend() const {
  if (std::filesystem::is_directory(path)) return "subgraphs";
  return format_of(format).run_by;
}

BackendInput ModelFile::backend_input(const std::vector<std::string>& input_names) const {
  return {module, path, input_names, onnx};
}

ModelFile open_model(const std::filesystem::path& file, const ReadOptions& options) {
  return read_model(file, options, Reading::all, nullptr);
}

ModelFile declare_model(const std::filesystem::path& file, const ReadOptions& options,
                        const ConnectedGraph* graph) {
  if (!std::filesystem::is_directory(file))
    return read_model(file, options, Reading::declarations, graph);
  if (auto known = known_folder(file)) throw *known;
  partition::read_subgraph_folder(file); // before the reference runs, which may take long
  return {file, FileFormat::unknown, std::nullopt, {}, options, nullptr};
}

std::size_t calls_of_state(const ModelFile& model) {
  constexpr std::size_t usual = 3; // enough to distinguish a state that is lost from a late one
  return model.is_module() ? std::max(usual, model.calls_to_come_round) : 1;
}

ModelFile open_declared(const ModelFile& declared) {
  if (!declared.is_module()) return declared;
  ModelFile model = open_model(declared.path, declared.options);
  model.calls_to_come_round = declared.calls_to_come_round;
  return model;
}

} // namespace model_validator::verify
