#include "connected_graph/torchscript/file_operators.h"

#include "connected_graph/torchscript/live_nodes.h"

#include <torch/csrc/jit/api/function_impl.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_set>

namespace model_validator::torchscript {
namespace {

using torch::jit::Graph;
using torch::jit::Node;

SourceLocation place_of(const Node& node) {
  torch::jit::SourceRange range = node.sourceRange();
  SourceLocation location;
  if (!range.source()) return location;
  if (const auto original = range.source()->findSourceRangeThatGenerated(range)) range = *original;
  const auto where = range.file_line_col();
  if (!where || std::get<0>(*where).starts_with("code/")) return location;
  location.file = std::get<0>(*where);
  location.line = static_cast<int>(std::get<1>(*where));
  location.column = static_cast<int>(std::get<2>(*where));
  return location;
}

std::string schema_of(const Node& node) {
  std::string name = node.kind().toQualString();
  if (const c10::FunctionSchema* schema = node.maybeSchema();
      schema != nullptr && !schema->overload_name().empty())
    name += "." + schema->overload_name();
  return name;
}

/// The function that a call runs; null for what the file does not settle, an interface for one.
torch::jit::Function* callee_of(const Node& node) {
  if (node.kind() == torch::jit::prim::CallFunction) {
    const auto type = node.input(0)->type()->cast<c10::FunctionType>();
    return type ? type->function() : nullptr;
  }
  if (node.kind() == torch::jit::prim::CallMethod) {
    const auto type = node.input(0)->type()->cast<c10::ClassType>();
    return type ? type->findMethod(node.s(torch::jit::attr::name)) : nullptr;
  }
  return nullptr;
}

class Collector {
public:
  std::vector<Operator> collect(torch::jit::Function& entry) {
    visit(&entry);
    while (!pending_.empty()) {
      const std::shared_ptr<Graph> graph = pending_.back();
      pending_.pop_back();
      for (const Node* node : live_nodes(*graph)) add(*node);
    }
    std::sort(found_.begin(), found_.end(), [](const Operator& a, const Operator& b) {
      const auto key = [](const Operator& op) {
        return std::tie(op.source.file, op.source.line, op.source.column, op.schema);
      };
      return key(a) < key(b);
    });
    return std::move(found_);
  }

private:
  void visit(torch::jit::Function* function) {
    if (function == nullptr || !function->isGraphFunction()) return;
    std::shared_ptr<Graph> graph = torch::jit::toGraphFunction(*function).graph();
    if (visited_.insert(graph.get()).second) pending_.push_back(std::move(graph));
  }

  void add(const Node& node) {
    if (node.kind() == torch::jit::prim::fork && node.hasAttribute(torch::jit::attr::Subgraph)) {
      std::shared_ptr<Graph> graph = node.g(torch::jit::attr::Subgraph);
      if (visited_.insert(graph.get()).second) pending_.push_back(std::move(graph));
    }
    if (torch::jit::Function* callee = callee_of(node)) return visit(callee);
    if (node.kind() == torch::jit::prim::Constant) return;
    Operator op;
    op.schema = schema_of(node);
    op.source = place_of(node);
    if (known_.emplace(op.schema, op.source.file, op.source.line, op.source.column).second)
      found_.push_back(std::move(op));
  }

  std::vector<std::shared_ptr<Graph>> pending_;
  std::unordered_set<const Graph*> visited_;
  std::set<std::tuple<std::string, std::string, int, int>> known_;
  std::vector<Operator> found_;
};

} // namespace

std::vector<Operator> file_operators(const torch::jit::Module& root, const std::string& method) {
  torch::jit::Function* entry = root.type()->findMethod(method);
  if (entry == nullptr) return {};
  return Collector().collect(*entry);
}

} // namespace model_validator::torchscript
