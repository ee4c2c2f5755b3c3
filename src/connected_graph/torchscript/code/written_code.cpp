#include "connected_graph/torchscript/code/written_code.h"

#include "connected_graph/torchscript/code/inlined_graph.h"

#include <torch/csrc/jit/passes/canonicalize.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>
#include <string_view>

namespace model_validator::torchscript {
namespace {

/// Without the names of classes, which are the user's (those of leaf modules are in the graph).
std::string without_classes(const std::string& text) {
  const std::string_view start = "__torch__.";
  const auto ends_name = [](char c) {
    return c != '.' && c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0;
  };
  std::string result;
  std::size_t from = 0;
  for (auto at = text.find(start); at != text.npos; at = text.find(start, from)) {
    const auto end =
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), ends_name);
    result.append(text, from, at - from);
    from = static_cast<std::size_t>(end - text.begin());
  }
  return result.append(text, from);
}

void forget_names(at::ArrayRef<torch::jit::Value*> values) {
  for (torch::jit::Value* value : values) value->setDebugName("");
}

/// LibTorch leaves names of values and places in Python out of the outermost block alone.
void forget_names_and_places(torch::jit::Block* block) {
  forget_names(block->inputs());
  for (torch::jit::Node* node : block->nodes()) {
    node->setSourceRange(torch::jit::SourceRange());
    forget_names(node->outputs());
    for (torch::jit::Block* inner : node->blocks()) forget_names_and_places(inner);
  }
}

} // namespace

std::string written_code(const torch::jit::Module& root) {
  const std::shared_ptr<Graph> inlined = inlined_graph(root, "forward");
  if (!inlined) return {};
  torch::jit::EliminateDeadCode(inlined);
  forget_names_and_places(inlined->block());
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  torch::jit::Canonicalize(inlined, false)->print(text, false);
  return without_classes(text.str());
}

} // namespace model_validator::torchscript
