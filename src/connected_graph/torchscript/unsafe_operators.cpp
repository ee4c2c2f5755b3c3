#include "connected_graph/torchscript/unsafe_operators.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace model_validator::torchscript {
namespace {

using std::string_view_literals::operator""sv;
using torch::jit::Block;
using torch::jit::Node;

/// Namespaces for distributed processes, shared memory and process debugging.
constexpr std::array reaching_namespaces = {
    "c10d::"sv,       "_c10d_functional::"sv, "_c10d_functional_autograd::"sv,
    "_dtensor::"sv,   "symm_mem::"sv,         "profiler::"sv,
    "debugprims::"sv, "debug_mode_ops::"sv};

constexpr std::array reaching_operators = {
    "aten::save"sv,      "aten::from_file"sv,  "aten::_print"sv,  "prim::rpc_sync"sv,
    "prim::rpc_async"sv, "prim::rpc_remote"sv, "aten::to_here"sv, "prim::AddStatValue"sv};

bool reaches_out(std::string_view name) {
  return std::find(reaching_operators.begin(), reaching_operators.end(), name) !=
             reaching_operators.end() ||
         std::any_of(reaching_namespaces.begin(), reaching_namespaces.end(),
                     [name](std::string_view space) { return name.starts_with(space); });
}

std::string place_of(const Node& node) {
  torch::jit::SourceRange range = node.sourceRange();
  if (!range.source()) return {};
  if (const auto original = range.source()->findSourceRangeThatGenerated(range)) range = *original;
  const auto where = range.file_line_col();
  if (!where) return {};
  return " (" + std::get<0>(*where) + ", line " + std::to_string(std::get<1>(*where)) + ")";
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

private:
  void check(const Node& node) {
    if (reaches_out(node.kind().toQualString()))
      throw Error(ErrorKind::unsafe_op, file_,
                  "its code calls `" + std::string(node.kind().toQualString()) + "`" +
                      place_of(node) + ", which does more than compute: it is not run",
                  "leave the inputs out: `model_validator check` then runs nothing in the file");
    for (const Block* inner : node.blocks()) pending_.push_back(inner);
    for (const c10::Symbol name : node.attributeNames())
      if (node.kindOf(name) == torch::jit::AttributeKind::g)
        pending_.push_back(node.g(name)->block());
  }

  const std::string& file_;
  std::vector<const Block*> pending_;
};

} // namespace

void require_computing_only(const torch::jit::CompilationUnit& unit, const std::string& file) {
  Checker checker(file);
  for (torch::jit::Function* function : unit.get_functions()) checker.check(*function);
}

} // namespace model_validator::torchscript
