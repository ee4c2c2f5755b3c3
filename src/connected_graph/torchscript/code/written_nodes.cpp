#include "connected_graph/torchscript/code/written_nodes.h"

#include "connected_graph/torchscript/code/callee.h"

#include <unordered_set>
#include <vector>

namespace model_validator::torchscript {
namespace {

using torch::jit::GraphFunction;

class Counter {
public:
  std::size_t count(const c10::ivalue::Object& root) {
    pending_objects_.push_back(&root);
    while (!pending_objects_.empty() || !pending_functions_.empty()) step();
    return nodes_;
  }

private:
  void step() {
    if (!pending_functions_.empty()) {
      GraphFunction* const function = pending_functions_.back();
      pending_functions_.pop_back();
      return visit(*function->graph()->block());
    }
    const c10::ivalue::Object* const object = pending_objects_.back();
    pending_objects_.pop_back();
    if (types_.insert(object->type().get()).second)
      for (torch::jit::Function* method : object->type()->methods())
        enter(torch::jit::tryToGraphFunction(*method));
    for (const c10::IValue& slot : object->slots())
      if (slot.isObject() && objects_.insert(slot.toObject().get()).second)
        pending_objects_.push_back(slot.toObject().get());
  }

  void enter(GraphFunction* function) {
    if (function != nullptr && functions_.insert(function).second)
      pending_functions_.push_back(function);
  }

  // The depth of blocks was bounded when the code was read.
  void visit(const Block& block) {
    for (const Node* node : block.nodes()) {
      ++nodes_;
      enter(callee_of(*node));
      for (const Block* inner : node->blocks()) visit(*inner);
    }
  }

  std::size_t nodes_ = 0;
  std::unordered_set<const c10::Type*> types_;
  std::unordered_set<const c10::ivalue::Object*> objects_;
  std::unordered_set<const GraphFunction*> functions_;
  std::vector<const c10::ivalue::Object*> pending_objects_;
  std::vector<GraphFunction*> pending_functions_;
};

} // namespace

std::size_t written_nodes(const torch::jit::Module& root) {
  return Counter().count(*root._ivalue());
}

} // namespace model_validator::torchscript
