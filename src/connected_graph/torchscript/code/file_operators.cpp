#include "connected_graph/torchscript/code/file_operators.h"

#include "connected_graph/noted_use.h"
#include "connected_graph/torchscript/code/attribute_values.h"
#include "connected_graph/torchscript/code/callee.h"
#include "connected_graph/torchscript/code/fold_conditions.h"
#include "connected_graph/torchscript/code/foldable.h"
#include "connected_graph/torchscript/code/inlined_graph.h"
#include "connected_graph/torchscript/code/live_nodes.h"
#include "connected_graph/torchscript/code/operator_description.h"
#include "connected_graph/torchscript/code/use_marks.h"
#include "connected_graph/torchscript/code/whole_code.h"
#include "connected_graph/torchscript/ir/original_range.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <unordered_set>

namespace model_validator::torchscript {
namespace {

SourceLocation place_of(const Node& node) {
  const torch::jit::SourceRange range = original_range(node.sourceRange());
  SourceLocation location;
  const auto where = range.file_line_col();
  if (!where || std::get<0>(*where).starts_with("code/")) return location;
  location.file = std::get<0>(*where);
  location.line = static_cast<int>(std::get<1>(*where));
  location.column = static_cast<int>(std::get<2>(*where));
  return location;
}

/// What a target's constraints may ask about an operator in the code: the type of its result, and
/// how it is used.
std::vector<Attribute> attributes_of(const Node& node, std::vector<std::string> uses) {
  std::vector<Attribute> attributes;
  if (node.outputs().size() == 1 && node.output()->type()->kind() != c10::TypeKind::TensorType &&
      node.output()->type()->kind() != c10::TypeKind::ClassType)
    attributes.push_back({"result", node.output()->type()->str()});
  if (uses.size() == 1)
    attributes.push_back({"use", std::move(uses.front())});
  else if (!uses.empty())
    attributes.push_back({"use", std::move(uses)});
  return attributes;
}

bool may_be_none(const Value& value) {
  if (value.mustBeNone()) return true;
  const Node& node = *value.node();
  if (node.kind() == prim::TupleConstruct)
    return std::any_of(node.inputs().begin(), node.inputs().end(),
                       [](const Value* each) { return may_be_none(*each); });
  if (node.kind() != prim::If) return false;
  return std::any_of(node.blocks().begin(), node.blocks().end(), [&value](const Block* arm) {
    return may_be_none(*arm->outputs()[value.offset()]);
  });
}

/// What the graph returns, as far as a target may object to it.
std::vector<Operator> returned(const Graph& graph) {
  const auto outputs = graph.outputs();
  if (std::none_of(outputs.begin(), outputs.end(),
                   [](const Value* each) { return may_be_none(*each); }))
    return {};
  return {{"prim::Return", {{"result", std::string("NoneType")}}, {}, {}}};
}

/// What was noted on a node.
std::vector<std::string> marked_use(const Node& node) {
  std::string mark = use_mark(node);
  return mark.empty() ? std::vector<std::string>() : std::vector{std::move(mark)};
}

class Collector {
public:
  using Wanted = std::function<bool(const Node&)>;
  using Uses = std::function<std::vector<std::string>(const Node&)>;
  explicit Collector(Wanted wanted = {}, Uses uses = marked_use)
      : wanted_(std::move(wanted)), uses_(std::move(uses)) {}

  std::vector<Operator> collect(std::shared_ptr<Graph> entry) {
    visit(std::move(entry));
    follow();
    return sorted();
  }

  std::vector<Operator> collect(const std::vector<const Node*>& nodes) {
    for (const Node* node : nodes) add(*node);
    follow();
    return sorted();
  }

private:
  void follow() {
    while (!pending_.empty()) {
      const std::shared_ptr<Graph> graph = pending_.back();
      pending_.pop_back();
      for (const Node* node : live_nodes(*graph)) add(*node);
    }
  }

  std::vector<Operator> sorted() {
    std::sort(found_.begin(), found_.end(), [](const Operator& a, const Operator& b) {
      const auto key = [](const Operator& op) {
        return std::tie(op.source.file, op.source.line, op.source.column, op.schema);
      };
      return key(a) < key(b);
    });
    return std::move(found_);
  }

  void visit(std::shared_ptr<Graph> graph) {
    if (visited_.insert(graph.get()).second) pending_.push_back(std::move(graph));
  }

  void add(const Node& node) {
    if (node.kind() == prim::fork && node.hasAttribute(attr::Subgraph))
      visit(node.g(attr::Subgraph));
    if (torch::jit::GraphFunction* callee = callee_of(node)) return visit(callee->graph());
    if (node.kind() == prim::Constant || (wanted_ && !wanted_(node))) return;
    Operator op{schema_of(node), attributes_of(node, uses_(node)), place_of(node), {}};
    std::string key = op.schema;
    for (const Attribute& attribute : op.attributes) key += " " + to_python(attribute.value);
    if (known_.emplace(key, op.source.file, op.source.line, op.source.column).second)
      found_.push_back(std::move(op));
  }

  Wanted wanted_;
  Uses uses_;
  std::vector<std::shared_ptr<Graph>> pending_;
  std::unordered_set<const Graph*> visited_;
  std::set<std::tuple<std::string, std::string, int, int>> known_;
  std::vector<Operator> found_;
};

bool is_collection(const Value& value) {
  const c10::TypeKind kind = value.type()->kind();
  return kind == c10::TypeKind::ListType || kind == c10::TypeKind::DictType ||
         kind == c10::TypeKind::StringType;
}

/// Whether it takes or yields lists, dicts or strings, which a graph of ops does not show.
bool works_on_collections(const Node& node) {
  if (node.outputs().size() != 1 || node.output()->type()->kind() == c10::TypeKind::TensorType)
    return false;
  return is_collection(*node.output()) || (!node.inputs().empty() && is_collection(*node.input(0)));
}

std::vector<Operator> collections_of_frozen(const std::shared_ptr<Graph>& graph,
                                            const torch::jit::Module& root) {
  fold_frozen(*graph, root);
  AttributeValues attributes(*graph, root);
  Foldable foldable(attributes);
  mark_uses(*graph);
  mark_constant_lists(*graph, [&](const Value& value) { return foldable.value(value); });
  return Collector([&foldable](const Node& node) {
           return works_on_collections(node) && node.blocks().empty() &&
                  node.kind() != prim::GetAttr && !foldable.node(node);
         })
      .collect(graph);
}

std::vector<Operator> operators_of_whole_code(const Graph& graph, const torch::jit::Module& root) {
  WholeCode code(graph, root);
  Collector collector({}, [&code](const Node& node) { return code.uses(node); });
  std::vector<Operator> operators = collector.collect(code.nodes());
  if (code.returns_attribute())
    operators.push_back(
        {"prim::Return", {{"use", std::string(word_of(NotedUse::attribute_returned))}}, {}, {}});
  return operators;
}

void add_marked(std::vector<Operator> from, const char* mark, std::vector<Operator>& to) {
  for (Operator& op : from) {
    op.attributes.push_back({mark, true});
    to.push_back(std::move(op));
  }
}

} // namespace

std::vector<Operator> file_operators(const torch::jit::Module& root, const std::string& method) {
  torch::jit::Function* entry = root.type()->findMethod(method);
  torch::jit::GraphFunction* function =
      entry != nullptr ? torch::jit::tryToGraphFunction(*entry) : nullptr;
  if (function == nullptr) return {};
  const std::shared_ptr<Graph> graph = inlined_graph(root, method);
  if (graph == nullptr) return Collector().collect(function->graph());
  const std::shared_ptr<Graph> frozen = graph->copy();
  std::vector<Operator> whole = operators_of_whole_code(*graph, root);
  mark_uses(*graph);
  fold_by_attributes(*graph, root);
  std::vector<Operator> operators = Collector().collect(graph);
  for (Operator& op : returned(*graph)) operators.push_back(std::move(op));
  add_marked(collections_of_frozen(frozen, root), "frozen", operators);
  add_marked(std::move(whole), "whole", operators);
  return operators;
}

} // namespace model_validator::torchscript
