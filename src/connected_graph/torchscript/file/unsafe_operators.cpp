#include "connected_graph/torchscript/file/unsafe_operators.h"

#include "connected_graph/torchscript/file/checked_operators.h"
#include "connected_graph/torchscript/file/operator_libraries.h"
#include "connected_graph/torchscript/file/operator_tables.h"
#include "connected_graph/torchscript/ir/names.h"
#include "connected_graph/torchscript/ir/original_range.h"
#include "files/process/worker_protocol.h"

#include <model_validator/data/words.h>
#include <model_validator/error.h>

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>
#include <unordered_map>

namespace model_validator::torchscript {
namespace {

using std::string_view_literals::operator""sv;

/// `log/Tensor,out prim::max/,int`: names, of `aten::` where they say nothing else, with their
/// overloads; a name alone has one overload, without a name.
constexpr std::string_view computing =
#include "connected_graph/torchscript/file/computing_operators.inc"
    ;

/// Their overloads, by name.
const std::unordered_map<std::string_view, std::string_view>& overloads_that_compute() {
  static const auto found = [] {
    std::unordered_map<std::string_view, std::string_view> overloads;
    for (std::string_view family : words_in(computing)) {
      const std::string_view name = take_before('/', family);
      overloads.emplace(name, family);
    }
    return overloads;
  }();
  return found;
}

/// @param name  without `aten::`
bool is_listed(std::string_view name, std::string_view overload) {
  const auto found = overloads_that_compute().find(name);
  if (found == overloads_that_compute().end()) return false;
  std::string_view listed = found->second;
  do
    if (take_before(',', listed) == overload) return true;
  while (!listed.empty());
  return false;
}

/// Nodes without a schema, which make up the code itself.
constexpr std::array structure = {
    prim::Constant,      prim::GetAttr,    prim::SetAttr,       prim::CreateObject,
    prim::CallMethod,    prim::If,         prim::Loop,          prim::CallFunction,
    prim::ListConstruct, prim::ListUnpack, prim::DictConstruct, prim::TupleConstruct,
    prim::TupleUnpack,   prim::TupleSlice, prim::isinstance,    prim::unchecked_cast,
    prim::fork,          prim::awaitable,  prim::Enter,         prim::Exit,
};

/// Calls that LibTorch puts in place of others where it optimises code: they may run, but stand in
/// no file. (torch/csrc/jit/passes: frozen_ops_to_mkldnn.cpp, frozen_conv_add_relu_fusion.cpp,
/// decompose_ops.cpp, autocast.cpp; runtime/symbolic_script.cpp)
constexpr std::array made_by_optimisation = {
    "aten::to_mkldnn"sv,      "aten::cudnn_convolution_relu"sv,
    "aten::_ncf_unsqueeze"sv, "aten::cudnn_convolution_add_relu"sv,
    "aten::_ncf_view"sv,      "aten::_autocast_to_reduced_precision"sv,
    "aten::_infer_size"sv,    "aten::_size_if_not_equal"sv,
};

constexpr std::string_view torch_classes = "__torch__.torch.classes.";
constexpr std::array computing_classes = {
    "quantized.LinearPackedParamsBase"sv, "quantized.Conv2dPackedParamsBase"sv,
    "quantized.Conv3dPackedParamsBase"sv, "quantized.EmbeddingPackedParamsBase"sv,
    "rnn.CellParamsBase"sv};

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_of_aten(std::string_view name) { return name.starts_with("aten::"); }

bool computes(const c10::FunctionSchema& schema) {
  std::string name = schema.name();
  if (is_only_described(name)) return true;
  if (is_listed(is_of_aten(name) ? std::string_view(name).substr(6) : name, schema.overload_name()))
    return true;
  if (!schema.overload_name().empty()) name += '.' + schema.overload_name();
  return came_from_library(name);
}

bool may_stand_in_code(const Node& node) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  if (schema == nullptr)
    return std::find(structure.begin(), structure.end(), node.kind()) != structure.end();
  if (computes(*schema)) return true;
  return process::is_worker() && is_of_aten(schema->name()) &&
         !holds(made_by_optimisation, schema->name());
}

Error refusal(const std::string& file, const std::string& cause) {
  return {ErrorKind::unsafe_op, file, cause + ": it is not run",
          "leave the inputs out: `model_validator check` then runs nothing in the file"};
}

std::string call_of(const std::string& name) { return "its code calls `" + name + "`"; }
constexpr const char* not_known = ", which is not known to do nothing but compute";

void refuse_to_run(torch::jit::Operator& op) {
  const c10::FunctionSchema& schema = op.schema();
  const auto refuse = [name = schema.name()](torch::jit::Stack&) {
    throw refusal("", call_of(name) + not_known);
  };
  op =
      torch::jit::Operator(schema.name(), schema.overload_name(), schema.arguments(),
                           schema.returns(), torch::jit::Operation(refuse), op.aliasAnalysisKind());
}

void refuse_other_operators() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const auto& op : torch::jit::getAllOperators())
      if (const std::string& name = op->schema().name(); is_of_aten(name) && op->hasOperation() &&
                                                         !computes(op->schema()) &&
                                                         !holds(made_by_optimisation, name))
        refuse_to_run(*op);
  });
}

std::string place_of(const Node& node) {
  const auto where = original_range(node.sourceRange()).file_line_col();
  if (!where) return {};
  return " (" + std::get<0>(*where) + ", line " + std::to_string(std::get<1>(*where)) + ")";
}

/// The name of a class of torch's own that does more than hold packed weights; empty for any other.
std::string_view class_refused(const c10::Type& type) {
  const auto* cls = type.castRaw<c10::ClassType>();
  if (cls == nullptr || !cls->name()) return {};
  std::string_view name = cls->name()->qualifiedName();
  if (!name.starts_with(torch_classes)) return {};
  name.remove_prefix(torch_classes.size());
  const bool known =
      holds(computing_classes, name) || came_from_library(name.substr(0, name.find('.')));
  return known ? std::string_view() : name;
}

class Checker {
public:
  explicit Checker(const std::string& file) : file_(file) {}

  void check(torch::jit::Function& function) {
    if (auto* const code = torch::jit::tryToGraphFunction(function))
      pending_.push_back(code->graph()->block());
    while (!pending_.empty()) {
      const Block* const block = pending_.back();
      pending_.pop_back();
      for (const Node* node : block->nodes()) check(*node);
    }
  }

  void check(const c10::Type& type, const std::string& place = {}) const {
    if (const std::string_view name = class_refused(type); !name.empty())
      throw refusal(file_, "it uses the class `torch.classes." + std::string(name) + "`" + place +
                               not_known);
  }

private:
  void check(const Node& node) {
    if (!may_stand_in_code(node))
      throw refusal(file_, call_of(node.kind().toQualString()) + place_of(node) + not_known);
    for (const auto* input : node.inputs()) check(*input->type(), place_of(node));
    for (const Block* inner : node.blocks()) pending_.push_back(inner);
    for (const c10::Symbol name : node.attributeNames())
      if (node.kindOf(name) == torch::jit::AttributeKind::g)
        pending_.push_back(node.g(name)->block());
  }

  const std::string& file_;
  std::vector<const Block*> pending_;
};

} // namespace

void require_computing_only(
    const torch::jit::CompilationUnit& unit,
    const std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, c10::IValue>>& unset,
    const std::string& file) {
  Checker checker(file);
  for (torch::jit::Function* function : unit.get_functions()) checker.check(*function);
  for (const auto& [object, state] : unset) checker.check(*object->type());
  if (!process::is_worker()) return;
  check_arguments();
  refuse_other_operators();
}

void require_dense(bool has_sparse_tensors, const std::string& file) {
  if (has_sparse_tensors)
    throw refusal(file, "it holds a sparse tensor, whose indices nothing checks");
}

} // namespace model_validator::torchscript
