#include "partition/onnx/onnx_model.h"

#include "connected_graph/onnx/names_read.h"
#include "connected_graph/onnx/stored_tensors.h"
#include "connected_graph/onnx/tensor.h"
#include "files/plain_file.h"
#include "partition/onnx/onnx_program.h"

#include <model_validator/error.h>

#include <limits>
#include <ostream>
#include <set>

namespace model_validator::partition {
namespace {

/// For a tensor that the file does not declare.
::onnx::ValueInfoProto info_of(const ::onnx::TensorProto& tensor, const std::string& name) {
  ::onnx::ValueInfoProto info;
  info.set_name(name);
  auto& type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(tensor.data_type());
  for (const std::int64_t size : tensor.dims())
    type.mutable_shape()->add_dim()->set_dim_value(size);
  return info;
}

using onnx_format::restore_tensors;

class SubgraphWriter {
public:
  SubgraphWriter(const OnnxProgram& program, const SubgraphContents& contents)
      : program_(program), contents_(contents) {}

  ::onnx::ModelProto make() {
    const ::onnx::ModelProto& whole = program_.file.model;
    ::onnx::ModelProto subgraph;
    subgraph.set_ir_version(whole.ir_version());
    *subgraph.mutable_opset_import() = whole.opset_import();
    *subgraph.mutable_functions() = whole.functions();
    subgraph.set_producer_name(whole.producer_name());
    subgraph.set_producer_version(whole.producer_version());
    auto& graph = *subgraph.mutable_graph();
    graph.set_name(whole.graph().name().empty() ? "subgraph" : whole.graph().name());
    for (const ValueNumber input : contents_.inputs) *graph.add_input() = typed(input);
    add_nodes(graph);
    for (const ValueNumber output : contents_.outputs) {
      add_constant(program_.values[output], graph);
      *graph.add_output() = typed(output);
    }
    add_types(graph);
    restore_tensors(graph, program_.file);
    for (auto& function : *subgraph.mutable_functions())
      for (auto& node : *function.mutable_node()) restore_tensors(node, program_.file);
    return subgraph;
  }

private:
  void add_nodes(::onnx::GraphProto& graph) {
    for (const UnitNumber unit : contents_.units)
      for (const std::string& name : onnx_format::names_read(*program_.units[unit]))
        add_constant(name, graph);
    for (const UnitNumber unit : contents_.units) *graph.add_node() = *program_.units[unit];
  }

  /// Adds a weight or constant, each once.
  void add_constant(const std::string& name, ::onnx::GraphProto& graph) {
    if (!constants_.insert(name).second) return;
    if (const auto tensor = program_.initializers.find(name); tensor != program_.initializers.end())
      *graph.add_initializer() = *tensor->second;
    else if (const auto node = program_.constants.find(name); node != program_.constants.end())
      *graph.add_node() = *node->second;
    else
      for (const auto& sparse : program_.file.model.graph().sparse_initializer())
        if (sparse.values().name() == name) *graph.add_sparse_initializer() = sparse;
  }

  ::onnx::ValueInfoProto typed(ValueNumber value) const {
    const std::string& name = program_.values[value];
    const auto type = program_.types.find(name);
    if (type != program_.types.end() && type->second->has_type()) return *type->second;
    const auto tensor = program_.initializers.find(name);
    if (tensor != program_.initializers.end()) return info_of(*tensor->second, name);
    throw Error(ErrorKind::cannot_divide, program_.graph.origin.path,
                "the file does not state the type of `" + name +
                    "`, which would pass from one subgraph to another",
                "add the types first with onnx.shape_inference.infer_shapes");
  }

  /// What is known about the values inside.
  void add_types(::onnx::GraphProto& graph) const {
    std::set<std::string> declared;
    for (const auto* list : {&graph.input(), &graph.output()})
      for (const auto& value : *list) declared.insert(value.name());
    for (const UnitNumber unit : contents_.units)
      for (const std::string& name : program_.units[unit]->output())
        if (const auto type = program_.types.find(name);
            type != program_.types.end() && declared.insert(name).second)
          *graph.add_value_info() = *type->second;
  }

  const OnnxProgram& program_;
  const SubgraphContents& contents_;
  std::set<std::string> constants_;
};

SubgraphValue describe(const OnnxProgram& program, ValueNumber value) {
  const std::string& name = program.values[value];
  SubgraphValue described{name, "Tensor", {}};
  if (const auto type = program.types.find(name); type != program.types.end())
    described.tensor = onnx_format::tensor_type(type->second->type());
  return described;
}

void write(const ::onnx::ModelProto& subgraph, const std::filesystem::path& file,
           const std::string& model) {
  if (subgraph.ByteSizeLong() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(ErrorKind::cannot_divide, model,
                "a subgraph takes more than the 2 GiB that one ONNX file holds",
                "divide the TorchScript file of the model");
  write_plain_file(file, [&](std::ostream& out) { subgraph.SerializeToOstream(&out); });
}

ResultTree result_of(const OnnxProgram& program) {
  ResultTree result;
  for (const ValueNumber value : program.flow.results) {
    result.keys.push_back(program.values[value]);
    ResultTree item;
    item.value = program.values[value];
    result.items.push_back(std::move(item));
  }
  result.kind = ResultTree::Kind::tuple;
  return result;
}

/// Writes the partitions as separate ONNX files.
/// @throws Error (`cannot-divide`) if the type of a value that would pass from subgraph to subgraph
/// is unknown, or a subgraph is too large for the format; (`missing-weights`, `cannot-write`)
Manifest write_all(const OnnxProgram& program, const Plan& plan,
                   const std::filesystem::path& folder) {
  Manifest manifest;
  manifest.model = program.file.file.path().filename().string();
  manifest.format = to_string(program.graph.origin.format);
  for (ValueNumber input = 0; input < program.flow.input_count; ++input)
    manifest.inputs.push_back(describe(program, input));
  const auto contents = contents_of_subgraphs(program.flow, plan);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    Subgraph subgraph = subgraph_of(plan, i, ".onnx");
    for (const ValueNumber value : contents[i].inputs)
      subgraph.inputs.push_back(describe(program, value));
    for (const ValueNumber value : contents[i].outputs)
      subgraph.outputs.push_back(describe(program, value));
    write(SubgraphWriter(program, contents[i]).make(), folder / subgraph.file,
          program.graph.origin.path);
    manifest.subgraphs.push_back(std::move(subgraph));
  }
  manifest.result = result_of(program);
  return manifest;
}

class OnnxModel final : public PartitionableModel {
public:
  explicit OnnxModel(std::unique_ptr<OnnxProgram> program) : program_(std::move(program)) {}

  const ConnectedGraph& graph() const override { return program_->graph; }
  const Constraints& constraints() const override { return program_->constraints; }
  Manifest write_subgraphs(const Plan& plan, const std::filesystem::path& folder) const override {
    return write_all(*program_, plan, folder);
  }

private:
  std::unique_ptr<OnnxProgram> program_;
};

void refuse_inputs(const std::filesystem::path& file, const OpenOptions& options) {
  if (!options.inputs.given()) return;
  throw Error(ErrorKind::usage, file.string(),
              "inputs are given, but shapes cannot be worked out for a file of this format",
              "leave --input out: the shapes that the file itself states are used");
}

} // namespace

std::unique_ptr<PartitionableModel> open_onnx_model(const std::filesystem::path& file,
                                                    const OpenOptions& options) {
  refuse_inputs(file, options);
  return std::make_unique<OnnxModel>(read_onnx_program(file, options.read));
}

} // namespace model_validator::partition
