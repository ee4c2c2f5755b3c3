#include "partition/torchscript/flat_module.h"

#include "connected_graph/torchscript/fold_conditions.h"
#include "partition/torchscript/forward_attributes.h"
#include "partition/torchscript/grown_collections.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/loop_unrolling.h>
#include <torch/csrc/jit/passes/lower_tuples.h>
#include <torch/csrc/jit/passes/peephole.h>
#include <torch/csrc/jit/passes/peephole_list_idioms.h>

#include <cctype>
#include <map>
#include <set>
#include <tuple>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
namespace attr = torch::jit::attr;
namespace prim = torch::jit::prim;

void collect(Block& block, std::vector<Node*>& nodes) {
  for (Node* node : block.nodes()) {
    if (node->kind() == prim::GetAttr || node->kind() == prim::SetAttr) nodes.push_back(node);
    for (Block* inner : node->blocks()) collect(*inner, nodes);
  }
}

/// Moves every attribute that the graph reads to the one module that is left.
class Attributes {
public:
  explicit Attributes(FlatModule& flat) : flat_(flat), graph_(*flat.inlined.graph) {}

  void move() {
    collect(*graph_.block(), nodes_);
    for (Node* node : nodes_)
      if (node->kind() == prim::SetAttr) changed_.insert(key_of(*node));
    self_ = graph_.insertInput(0, "self");
    for (Node* node : nodes_)
      if (changed_.contains(key_of(*node)))
        redirect(*node);
      else if (node->kind() == prim::GetAttr)
        move_constant(*node);
    self_->setType(flat_.module.type());
  }

private:
  /// Attributes are told apart by class: what one object has changed is taken to change in all.
  using Key = std::pair<const c10::Type*, std::string>;

  static Key key_of(const Node& node) { return {node.input(0)->type().get(), node.s(attr::name)}; }

  const KnownObject* owner_of(const Node& node) const {
    const auto found = flat_.inlined.objects.find(node.input(0));
    return found == flat_.inlined.objects.end() ? nullptr : &found->second;
  }

  /// An attribute that the model sets stays one.
  void redirect(Node& node) {
    const KnownObject* owner = owner_of(node);
    if (owner == nullptr) return;
    const std::string& name = node.s(attr::name);
    auto& flat_name = set_[{owner->object.get(), name}];
    if (flat_name.empty())
      flat_name = add(owner->path, name, owner->object->type()->getAttribute(name),
                      owner->object->getAttr(name));
    node.replaceInput(0, self_);
    node.s_(attr::name, flat_name);
  }

  void move_constant(Node& node) {
    const KnownObject* owner = owner_of(node);
    if (owner == nullptr) return;
    const std::string& name = node.s(attr::name);
    const c10::IValue value = owner->object->getAttr(name);
    if (value.isObject() && value.toObjectRef().type()->is_module()) return;
    if (is_plain(value)) {
      const torch::jit::WithInsertPoint here(&node);
      node.output()->replaceAllUsesWith(graph_.insertConstant(value));
      return;
    }
    Value*& read = value.isTensor() ? tensors_[identity(value.toTensor())]
                                    : others_[{owner->object.get(), name}];
    if (read == nullptr) {
      const auto type = value.isTensor() ? c10::TypePtr(c10::TensorType::get())
                                         : owner->object->type()->getAttribute(name);
      read = read_at_start(add(owner->path, name, type, value), type);
    }
    node.output()->replaceAllUsesWith(read);
  }

  Value* read_at_start(const std::string& name, const c10::TypePtr& type) {
    Node* node = graph_.create(prim::GetAttr, {self_}, 1);
    node->s_(attr::name, name);
    node->output()->setType(type);
    return graph_.prependNode(node)->output();
  }

  /// A shared weight is the same stretch of the same storage.
  using Identity = std::tuple<const void*, std::int64_t, std::vector<std::int64_t>,
                              std::vector<std::int64_t>, c10::ScalarType>;
  static Identity identity(const at::Tensor& tensor) {
    if (!tensor.has_storage() || tensor.layout() != c10::kStrided)
      return {tensor.unsafeGetTensorImpl(), 0, {}, {}, tensor.scalar_type()};
    return {tensor.storage().unsafeGetStorageImpl(), tensor.storage_offset(), tensor.sizes().vec(),
            tensor.strides().vec(), tensor.scalar_type()};
  }

  std::string add(const std::string& path, const std::string& name, const c10::TypePtr& type,
                  const c10::IValue& value) {
    const std::string full = path.empty() ? name : path + "." + name;
    std::string flat = "p_";
    for (const char c : full) flat += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    while (flat_.paths.contains(flat)) flat += "_";
    flat_.paths[flat] = full;
    flat_.module.register_attribute(flat, type, value, false,
                                    value.isTensor() && type->kind() == c10::TypeKind::TensorType);
    return flat;
  }

  FlatModule& flat_;
  torch::jit::Graph& graph_;
  Value* self_ = nullptr;
  std::vector<Node*> nodes_;
  std::set<Key> changed_;
  std::map<std::pair<const void*, std::string>, std::string> set_;
  std::map<std::pair<const void*, std::string>, Value*> others_;
  std::map<Identity, Value*> tensors_;
};

/// Dropout that is off returns what it was given, the very tensor, which its schema does not say.
void drop_idle_dropout(Block& block) {
  static const std::set<std::string> kinds{"aten::dropout",
                                           "aten::dropout_",
                                           "aten::alpha_dropout",
                                           "aten::alpha_dropout_",
                                           "aten::feature_dropout",
                                           "aten::feature_dropout_",
                                           "aten::feature_alpha_dropout",
                                           "aten::feature_alpha_dropout_"};
  constexpr std::size_t train = 2; // its argument
  for (auto at = block.nodes().begin(); at != block.nodes().end();) {
    Node* node = *at++;
    for (Block* inner : node->blocks()) drop_idle_dropout(*inner);
    if (!kinds.contains(node->kind().toQualString()) || node->inputs().size() <= train) continue;
    const auto on = torch::jit::toIValue(node->input(train));
    if (!on || !on->isBool() || on->toBool()) continue;
    node->output()->replaceAllUsesWith(node->input(0));
    node->destroy();
  }
}

/// Evaluates what is known, which decides branches, and takes out what is not needed.
void simplify(std::shared_ptr<torch::jit::Graph>& graph) {
  constexpr int rounds = 3; // what one leaves out may decide an `if`, and so more
  for (int round = 0; round < rounds; ++round) {
    torch::jit::LowerSimpleTuples(graph);
    torchscript::fold_by_types(*graph);
    rebuild_grown_collections(*graph);
    torch::jit::PeepholeOptimizeListIdioms(graph);
    torch::jit::UnrollConstantLoops(graph);
    torch::jit::ConstantPropagationImmutableTypes(graph);
    torch::jit::PeepholeOptimize(graph, /*disable_shape_peepholes=*/true);
    drop_idle_dropout(*graph->block());
    torch::jit::EliminateDeadCode(graph);
  }
}

void drop_hierarchy(torch::jit::Graph& graph) {
  constexpr std::size_t root = 1; // behind the module that takes its place
  if (graph.inputs()[root]->hasUses())
    throw Error(ErrorKind::cannot_flatten, "",
                "the model chooses a module while it runs, so its operators are not known before",
                "trace it, or call each module by its own name");
  graph.eraseInput(root);
}

} // namespace

FlatModule flatten(const torch::jit::Module& module, const torchscript::NodeMap& map,
                   const FixedInputs& fixed, std::size_t max_nodes) {
  FlatModule flat{torch::jit::Module("Whole"), inline_calls(module, map, fixed, max_nodes), {}, {}};
  flat.module.register_attribute("training", c10::BoolType::get(), false);
  Attributes(flat).move();
  forward_attributes(*flat.inlined.graph);
  simplify(flat.inlined.graph);
  drop_hierarchy(*flat.inlined.graph);
  flat.origins = take_origins(flat.inlined);
  flat.inlined.objects.clear(); // their values may be gone
  auto* forward = flat.module._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*flat.module.type()->name(), "forward"), flat.inlined.graph);
  flat.module.type()->addMethod(forward);
  return flat;
}

} // namespace model_validator::partition
