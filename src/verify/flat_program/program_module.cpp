#include "verify/flat_program/program_module.h"

#include "connected_graph/exported_program/converter.h"
#include "connected_graph/exported_program/json_errors.h"
#include "connected_graph/torchscript/file/load.h"
#include "connected_graph/torchscript/file/unsafe_operators.h"
#include "verify/flat_program/program_weights.h"
#include "verify/flat_program/program_writer.h"

#include <model_validator/error.h>

#include <ATen/ops/empty.h>
#include <boost/range/iterator_range.hpp>
#include <nlohmann/json.hpp>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace model_validator::verify {
namespace {

using exported_program::Json;
using exported_program::ProgramFile;
using ResultValues = std::vector<torch::jit::Value*>;

constexpr int max_result_depth = 64;

/// The keys of a dict, of a `ModelOutput`, of a named tuple; none for what has none.
std::vector<std::string> result_keys(const Json& node) {
  if (!node.at("context").is_string()) return {};
  const Json context = Json::parse(node["context"].get<std::string>(), nullptr, false);
  if (!context.is_array() || context.size() != node.at("children_spec").size()) return {};
  std::vector<std::string> keys;
  for (const Json& key : context)
    keys.push_back(key.is_string() ? key.get<std::string>() : key.dump());
  const bool distinct = std::set<std::string>(keys.begin(), keys.end()).size() == keys.size();
  return distinct ? keys : std::vector<std::string>{};
}

bool all_tensors(const ResultValues& values) {
  return std::ranges::all_of(values, [](const torch::jit::Value* value) {
    return value->type()->kind() == c10::TypeKind::TensorType;
  });
}

class ResultBuilder {
public:
  ResultBuilder(torch::jit::Graph& graph, const ResultValues& leaves)
      : graph_(graph), leaves_(leaves) {}

  torch::jit::Value* build(const Json& node, int depth) {
    if (depth > max_result_depth)
      throw Error(ErrorKind::damaged_exported_program, "", "its results are nested too deeply",
                  "export the model again");
    if (node.at("type").is_null()) return next_leaf();
    ResultValues children;
    for (const Json& child : node.at("children_spec")) children.push_back(build(child, depth + 1));
    const std::string type = node["type"].get<std::string>();
    if (type == "builtins.list" && all_tensors(children) && !children.empty())
      return graph_.insertNode(graph_.createList(c10::TensorType::get(), children))->output();
    const auto keys = result_keys(node);
    if (keys.empty()) return graph_.insertNode(graph_.createTuple(children))->output();
    if (type != "collections.namedtuple" && all_tensors(children)) return dict(keys, children);
    return named_tuple(keys, children);
  }

private:
  torch::jit::Value* next_leaf() {
    if (next_ >= leaves_.size())
      throw Error(ErrorKind::damaged_exported_program, "",
                  "it returns fewer values than it says that it returns", "export the model again");
    return leaves_[next_++];
  }

  torch::jit::Value* dict(const std::vector<std::string>& keys, const ResultValues& values) {
    ResultValues names;
    for (const std::string& key : keys) names.push_back(graph_.insertConstant(key));
    return graph_
        .insertNode(
            graph_.createDict(c10::StringType::get(), c10::TensorType::get(), names, values))
        ->output();
  }

  torch::jit::Value* named_tuple(const std::vector<std::string>& keys, const ResultValues& values) {
    std::vector<c10::TypePtr> types;
    for (const torch::jit::Value* value : values) types.push_back(value->type());
    const auto type = c10::TupleType::createNamed(c10::QualifiedName("Results"), keys, types);
    return graph_.insertNode(graph_.createTuple(values, type))->output();
  }

  torch::jit::Graph& graph_;
  const ResultValues& leaves_;
  std::size_t next_ = 0;
};

/// What a program returns, put together as its Python returned it.
/// @param structure  the `TreeSpec` that torch.export wrote as text; empty: a tuple
/// @param leaves     its tensors and numbers, in order
/// @throws what the JSON library throws for a structure that torch.export would not write
torch::jit::Value* put_together(torch::jit::Graph& graph, const std::string& structure,
                                const ResultValues& leaves) {
  constexpr std::size_t tree = 1; // after the version
  if (!structure.empty())
    return ResultBuilder(graph, leaves).build(Json::parse(structure).at(tree), 0);
  return leaves.size() == 1 ? leaves[0] : graph.insertNode(graph.createTuple(leaves))->output();
}

/// What the signature calls a tensor that the program brings with it.
struct HeldTensor {
  std::string value; ///< in the graph
  std::string name;  ///< in the module: `layer1.0.weight`
  bool is_parameter = false;
};

std::optional<HeldTensor> held_tensor(const Json& spec) {
  struct Kind {
    const char* kind;
    const char* name;
  };
  for (const Kind& each : {Kind{"parameter", "parameter_name"}, Kind{"buffer", "buffer_name"},
                           Kind{"tensor_constant", "tensor_constant_name"}})
    if (const auto found = spec.find(each.kind); found != spec.end())
      return HeldTensor{found->at("arg").at("name"), found->at(each.name),
                        std::string_view(each.kind) == "parameter"};
  return std::nullopt;
}

/// Builds the module of one program.
class ModuleBuilder {
public:
  ModuleBuilder(const ProgramFile& file, ProgramContent content)
      : program_(file.program), weights_(file, content == ProgramContent::all), content_(content),
        module_("Program"), graph_(std::make_shared<torch::jit::Graph>()) {}

  /// @param ops  the program's graph; empty where only its declaration is wanted
  /// @param results  what its nodes became in that
  torch::jit::Module build(const ConnectedGraph& ops,
                           const exported_program::NodeResults& results) {
    module_.register_attribute("training", c10::BoolType::get(), false);
    self_ = graph_->addInput("self")->setType(module_.type());
    read_inputs();
    if (content_ != ProgramContent::declaration) {
      ProgramWriter(*graph_, ops, results)
          .write_nodes(program_.at("graph_module").at("graph"), scope_);
      write_state();
      write_results();
    } else {
      graph_->registerOutput(graph_->insertConstant(c10::IValue()));
    }
    graph_->lint();
    auto* forward = module_._ivalue()->compilation_unit()->create_function(
        c10::QualifiedName(*module_.type()->name(), "forward"), graph_);
    module_.type()->addMethod(forward);
    return module_;
  }

private:
  const Json& signature() const { return program_.at("graph_module").at("signature"); }

  void read_inputs() {
    for (const Json& spec : signature().at("input_specs")) {
      if (const auto held = held_tensor(spec))
        add_held(*held);
      else if (spec.contains("user_input"))
        add_input(spec["user_input"].at("arg"));
      else if (spec.contains("custom_obj"))
        throw Error(ErrorKind::not_runnable, "",
                    "the program holds an object of a class of its own, which only Python loads",
                    "verify the ONNX file made of the program");
      else if (const auto constant = spec.find("constant_input"); constant != spec.end())
        scope_[constant->at("name")] = value_of(*graph_, constant->at("value"), nullptr, scope_);
    }
  }

  void add_held(const HeldTensor& held) {
    if (!module_.hasattr(held.name)) {
      const at::Tensor tensor =
          content_ == ProgramContent::declaration ? at::empty({0}) : weights_.read(held.name);
      module_.register_parameter(held.name, tensor, !held.is_parameter);
    }
    auto* read = graph_->insertNode(graph_->createGetAttr(self_, held.name));
    scope_[held.value] = read->output();
    attributes_[held.name] = read->output();
  }

  void add_input(const Json& argument) {
    const bool is_tensor = argument.contains("as_tensor");
    const bool is_symbol = argument.contains("as_sym_int");
    if (!is_tensor && !is_symbol) return; // a constant, or None: the graph has its value
    const Json& name =
        is_tensor ? argument["as_tensor"].at("name") : argument["as_sym_int"].at("as_name");
    const c10::TypePtr type =
        is_tensor ? c10::TypePtr(c10::TensorType::get()) : c10::TypePtr(c10::IntType::get());
    scope_[name] = graph_->addInput(name.get<std::string>())->setType(type);
  }

  torch::jit::Value* result(const Json& argument) {
    return value_of(*graph_, argument, nullptr, scope_);
  }

  /// The program returns the new values of its buffers, and of inputs that it writes to.
  void write_state() {
    for (const Json& spec : signature().at("output_specs"))
      for (const auto& [kind, content] : spec.items()) {
        if (kind == "buffer_mutation")
          overwrite(attributes_.at(content.at("buffer_name")), content);
        if (kind == "parameter_mutation")
          overwrite(attributes_.at(content.at("parameter_name")), content);
        if (kind == "user_input_mutation")
          overwrite(scope_.at(content.at("user_input_name")), content);
      }
  }

  void overwrite(torch::jit::Value* target, const Json& content) {
    torch::jit::Value* value = scope_.at(content.at("arg").at("name"));
    if (value == target) return;
    graph_->insert(torch::jit::aten::copy_, {target, value});
  }

  void write_results() {
    std::vector<torch::jit::Value*> leaves;
    for (const Json& spec : signature().at("output_specs"))
      if (const auto output = spec.find("user_output"); output != spec.end())
        leaves.push_back(result(output->at("arg")));
    std::string structure;
    for (const Json& entry : program_.at("graph_module").at("module_call_graph"))
      if (entry.at("fqn") == "" && entry.value("signature", Json()).is_object())
        structure = entry["signature"].at("out_spec").get<std::string>();
    graph_->registerOutput(put_together(*graph_, structure, leaves));
  }

  const Json& program_;
  ProgramWeights weights_;
  ProgramContent content_;
  torch::jit::Module module_;
  std::shared_ptr<torch::jit::Graph> graph_;
  torch::jit::Value* self_ = nullptr;
  ProgramScope scope_;
  std::map<std::string, torch::jit::Value*> attributes_;
};

/// Errors about what a program holds are reported with its file.
Error naming_file(const std::filesystem::path& file, const Error& error) {
  return Error(error.kind(), error.path().empty() ? file.string() : error.path(), error.what(),
               error.hint());
}

} // namespace

ProgramModule load_program(const std::filesystem::path& file, const ReadOptions& options,
                           ProgramContent content) {
  try {
    return exported_program::with_json_errors(file, [&] {
      const ProgramFile program(file);
      torchscript::prepare_loading();
      GraphBuilder graph;
      exported_program::NodeResults results;
      if (content != ProgramContent::declaration)
        graph = exported_program::Converter(program, options).convert(&results);
      torch::jit::Module module = ModuleBuilder(program, content).build(graph, results);
      torchscript::require_computing_only(*module._ivalue()->compilation_unit(), {}, file.string());
      return ProgramModule{std::move(module),
                           std::make_shared<const ProgramInputs>(program.program),
                           std::move(graph)};
    });
  } catch (const Error& error) {
    throw naming_file(file, error);
  } catch (const std::out_of_range&) {
    throw Error(ErrorKind::damaged_exported_program, file.string(),
                "the program writes to a value that it does not have", "export the model again");
  } catch (const c10::Error&) {
    throw Error(ErrorKind::damaged_exported_program, file.string(),
                "the program's values do not fit together", "export the model again");
  }
}

} // namespace model_validator::verify
