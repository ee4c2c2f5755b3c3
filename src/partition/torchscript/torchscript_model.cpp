#include "partition/torchscript/torchscript_model.h"

#include "connected_graph/torchscript/file/errors.h"
#include "connected_graph/torchscript/file/large_stack.h"
#include "connected_graph/torchscript/file/load.h"
#include "connected_graph/torchscript/file/operator_libraries.h"
#include "partition/torchscript/flat_attributes.h"
#include "partition/torchscript/subgraph_module.h"
#include "verify/run/tensor_tree.h"
#include "verify/trace/finish_loading.h"

#include <model_validator/error.h>

#include <c10/core/GradMode.h>

#include <set>

namespace model_validator::partition {
namespace {

class Names {
public:
  explicit Names(const Program& program) : program_(program) {
    const auto inputs = program.flat.graph->inputs();
    for (std::size_t i = 1; i < inputs.size(); ++i)
      give(inputs[i], program.graph.op(program.graph.inputs()[i - 1]).name);
  }

  void give(const Value* value) {
    if (names_.contains(value)) return;
    const std::size_t maker = program_.units->maker(value);
    const OpId op = maker == none ? none : program_.numbers.flow.ops[maker];
    std::string name = maker == none ? "constant" : value->node()->kind().toUnqualString();
    if (op != none) name = program_.graph.op(op).name;
    if (value->offset() > 0) name += "_" + std::to_string(value->offset());
    give(value, name);
  }

  const ValueNames& all() const { return names_; }

  SubgraphValue describe(const Value* value) const {
    return {names_.at(value), value->type()->annotation_str(), type_of(*value)};
  }

private:
  void give(const Value* value, const std::string& wanted) {
    std::string name = identifier(wanted);
    while (name == "self" || !taken_.insert(name).second) name += "_";
    names_[value] = name;
  }

  /// The value that leaves an op with one tensor output is that tensor.
  TensorType type_of(const Value& value) const {
    if (value.node()->kind() == prim::Param && value.offset() > 0)
      return type_of(program_.graph.inputs()[value.offset() - 1], 0);
    const std::size_t maker = program_.units->maker(&value);
    const OpId op = maker == none ? none : program_.numbers.flow.ops[maker];
    if (op == none) return {};
    return type_of(op, program_.graph.op(op).outputs.size() == 1 ? 0 : value.offset());
  }

  TensorType type_of(OpId op, std::size_t output) const {
    const auto& outputs = program_.graph.op(op).outputs;
    return output < outputs.size() ? outputs[output] : TensorType{};
  }

  const Program& program_;
  ValueNames names_;
  std::set<std::string> taken_;
};

ResultTree tree_of(const Returned& returned, const ValueNames& names) {
  ResultTree tree;
  tree.kind = static_cast<ResultTree::Kind>(returned.kind);
  if (returned.kind == Returned::Kind::value) tree.value = names.at(returned.value);
  tree.keys = returned.keys;
  for (const Returned& item : returned.items) tree.items.push_back(tree_of(item, names));
  return tree;
}

class TorchScriptModel final : public PartitionableModel {
public:
  explicit TorchScriptModel(Program program) : program_(std::move(program)) {}

  const ConnectedGraph& graph() const override { return program_.graph; }
  const Constraints& constraints() const override { return program_.constraints; }

  Manifest write_subgraphs(const Plan& plan, const std::filesystem::path& folder) const override {
    Manifest manifest;
    torchscript::with_large_stack([&] {
      manifest = torchscript::translating_errors(graph().origin.path,
                                                 [&] { return write_all(plan, folder); });
    });
    return manifest;
  }

private:
  Manifest write_all(const Plan& plan, const std::filesystem::path& folder) const {
    const ValueNumbers& numbers = program_.numbers;
    const auto contents = contents_of_subgraphs(numbers.flow, plan);
    Names names(program_);
    for (const SubgraphContents& subgraph : contents)
      for (const ValueNumber value : subgraph.outputs) names.give(numbers.values[value]);
    Manifest manifest;
    manifest.model = std::filesystem::path(graph().origin.path).filename().string();
    manifest.format = to_string(graph().origin.format);
    manifest.recorded = program_.recorded.has_value();
    const auto inputs = program_.flat.graph->inputs();
    for (std::size_t i = 1; i < inputs.size(); ++i) {
      manifest.inputs.push_back(names.describe(inputs[i]));
      manifest.inputs.back().constant = constant_input(i - 1);
    }
    for (std::size_t i = 0; i < contents.size(); ++i) {
      Subgraph subgraph = subgraph_of(plan, i, ".pt");
      for (const ValueNumber value : contents[i].inputs)
        subgraph.inputs.push_back(names.describe(numbers.values[value]));
      for (const ValueNumber value : contents[i].outputs)
        subgraph.outputs.push_back(names.describe(numbers.values[value]));
      make_subgraph(program_, contents[i], names.all()).save((folder / subgraph.file).string());
      manifest.subgraphs.push_back(std::move(subgraph));
    }
    manifest.result = tree_of(program_.result, names.all());
    return manifest;
  }

  /// Empty for what holds tensors.
  std::string constant_input(std::size_t i) const {
    if (!program_.recorded || i >= program_.recorded->size()) return {};
    const c10::IValue& given = program_.recorded->at(i);
    return verify::holds_tensor(given) ? "" : c10::str(given);
  }

  Program program_;
};

/// A model of which there is a plan alone.
class GraphAlone final : public PartitionableModel {
public:
  /// @param why  its subgraphs cannot be written
  GraphAlone(ConnectedGraph graph, Error why) : graph_(std::move(graph)), why_(std::move(why)) {}

  const ConnectedGraph& graph() const override { return graph_; }
  const Constraints& constraints() const override { return constraints_; }
  Manifest write_subgraphs(const Plan&, const std::filesystem::path&) const override {
    throw Error(why_.kind(), graph_.origin.path, why_.what(), why_.hint());
  }

private:
  ConnectedGraph graph_;
  Constraints constraints_;
  Error why_;
};

std::unique_ptr<PartitionableModel> model_of(Program program) {
  if (program.why_not)
    return std::make_unique<GraphAlone>(std::move(program.graph), std::move(*program.why_not));
  return std::make_unique<TorchScriptModel>(std::move(program));
}

std::unique_ptr<PartitionableModel> open_torchscript(const std::filesystem::path& file,
                                                     const OpenOptions& options) {
  torchscript::LoadOptions load;
  load.operator_libraries = options.read.operator_libraries;
  // Subgraphs hold the weights, so packed ones have to be unpacked.
  load.run_setstate = options.weights && !options.inputs.given();
  load.map_weights = !options.weights;
  const auto loaded = torchscript::load_file(file, load);
  if (options.inputs.given()) verify::finish_loading(loaded, 0, file);
  const c10::NoGradGuard no_gradients;
  return torchscript::translating_errors(file, [&] {
    Program program = make_program(loaded.module, options);
    GraphOrigin& origin = program.graph.origin;
    origin.path = file.string();
    origin.format = FileFormat::torchscript;
    origin.producer = loaded.producer;
    origin.file_bytes = loaded.file_bytes;
    return model_of(std::move(program));
  });
}

std::unique_ptr<PartitionableModel> open_program(const std::filesystem::path& file,
                                                 const OpenOptions& options) {
  using verify::ProgramContent;
  torchscript::load_operator_libraries(options.read.operator_libraries);
  const c10::NoGradGuard no_gradients;
  try {
    auto program = verify::load_program(
        file, options.read, options.weights ? ProgramContent::all : ProgramContent::shapes);
    return torchscript::translating_errors(
        file, [&] { return model_of(make_program(std::move(program), options)); });
  } catch (const Error& error) {
    const bool needs_to_run = options.weights || options.inputs.given();
    const bool runs_elsewhere =
        error.kind() == ErrorKind::not_runnable || error.kind() == ErrorKind::unknown_operator;
    if (needs_to_run || !runs_elsewhere) throw;
    return std::make_unique<GraphAlone>(read_graph(file, options.read), error);
  }
}

} // namespace

std::unique_ptr<PartitionableModel> make_partitionable(const torch::jit::Module& module,
                                                       const OpenOptions& options) {
  return model_of(make_program(module, options));
}

std::unique_ptr<PartitionableModel> open_model_of_torch(const std::filesystem::path& file,
                                                        const OpenOptions& options) {
  std::unique_ptr<PartitionableModel> model;
  const bool is_program = recognise(file) == FileFormat::exported_program;
  torchscript::with_large_stack(
      [&] { model = is_program ? open_program(file, options) : open_torchscript(file, options); });
  return model;
}

} // namespace model_validator::partition
