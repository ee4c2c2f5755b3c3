#include "partition/torchscript/recording.h"

#include "connected_graph/torchscript/builder.h"
#include "partition/torchscript/flat_attributes.h"
#include "partition/torchscript/node_ops.h"
#include "verify/run/fresh_copy.h"
#include "verify/run/retrace.h"
#include "verify/run/values_looked_at.h"
#include "verify/trace/run_contexts.h"

#include <model_validator/error.h>

namespace model_validator::partition {
namespace {

/// Names what is recorded, and refuses what one run does not show.
class Watcher final : public verify::RecordingWatcher {
public:
  explicit Watcher(const torchscript::NodeMap& map) : contexts_(map) {}

  void before_step(const Node& node, const std::vector<c10::IValue>& inputs) override {
    if (verify::looks_at_values(node, inputs))
      throw Error(ErrorKind::cannot_flatten, "",
                  std::string("what the model does depends on values, not on shapes alone: `") +
                      node.kind().toQualString() + "` looks at those of a tensor",
                  "without `--emit` the model is divided with its branches whole");
  }
  void on_enter(const Node& call, const std::vector<c10::IValue>& inputs) override {
    contexts_.enter(call, inputs);
  }
  void on_leave(const Node&) override { contexts_.leave(); }
  void on_step(const verify::Step&) override {}
  void on_recorded(const verify::Step& step, const std::vector<Node*>& recorded) override {
    for (Node* node : recorded)
      if (!node->kind().is_prim()) set_ops(*node, contexts_.records(step.node));
  }

private:
  verify::RunContexts contexts_;
};

/// Reads the model's weights as attributes where the recording holds them as constants.
void read_weights(FlatModule& flat, const torch::jit::Module& module) {
  std::map<TensorIdentity, std::string> paths;
  for (const auto& named : module.named_attributes(/*recurse=*/true))
    if (named.value.isTensor() && named.value.toTensor().defined())
      paths.emplace(identity_of(named.value.toTensor()), named.name);
  FlatAttributes attributes(flat.module, *flat.graph);
  std::vector<Node*> constants;
  for (Node* node : flat.graph->nodes())
    if (node->kind() == prim::Constant && node->hasAttribute(attr::value) &&
        node->kindOf(attr::value) == torch::jit::AttributeKind::t)
      constants.push_back(node);
  for (Node* node : constants) {
    const at::Tensor& tensor = node->t(attr::value);
    const auto path = paths.find(identity_of(tensor));
    if (path == paths.end()) continue;
    node->output()->replaceAllUsesWith(
        attributes.read(path->second, tensor, c10::TensorType::get()));
    node->destroy();
  }
}

/// Gives a recording, which takes and returns tensors, the inputs and the result of the model.
class Signature {
public:
  explicit Signature(Graph& graph)
      : graph_(graph), tensors_(graph.inputs().begin(), graph.inputs().end()) {}

  void take(const std::vector<c10::Argument>& arguments, const std::vector<c10::IValue>& inputs) {
    const std::size_t recorded = tensors_.size();
    const torch::jit::WithInsertPoint start(*graph_.nodes().begin());
    graph_.addInput("self");
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const c10::IValue given = i <= inputs.size() ? inputs[i - 1] : c10::IValue();
      Value* input = graph_.addInput()->setType(given.isTensor() ? c10::TensorType::get()
                                                                 : arguments[i].type());
      unpack(given, input);
    }
    for (std::size_t i = 0; i < recorded; ++i) graph_.eraseInput(0);
  }

  void give(const c10::IValue& result) {
    const auto outputs = graph_.outputs();
    tensors_.assign(outputs.begin(), outputs.end());
    next_ = 0;
    const torch::jit::WithInsertPoint end(graph_.return_node());
    Value* whole = pack(result);
    while (!graph_.outputs().empty()) graph_.eraseOutput(0);
    graph_.registerOutput(whole);
  }

  void unpack_each(c10::ArrayRef<c10::IValue> given, Node* unpacking) {
    graph_.insertNode(unpacking);
    for (std::size_t i = 0; i < given.size(); ++i) unpack(given[i], unpacking->outputs()[i]);
  }

private:
  void unpack(const c10::IValue& given, Value* value) {
    if (given.isTensor()) {
      if (given.toTensor().defined()) tensors_.at(next_++)->replaceAllUsesWith(value);
    } else if (given.isTuple() && verify::holds_tensor(given)) {
      unpack_each(given.toTupleRef().elements().asArrayRef(), graph_.createTupleUnpack(value));
    } else if (given.isList() && verify::holds_tensor(given)) {
      const auto elements = given.toListRef();
      unpack_each(elements, graph_.createListUnpack(value, elements.size()));
    } else if (given.isGenericDict() && verify::holds_tensor(given)) {
      for (const auto& item : given.toGenericDict())
        unpack(item.value(),
               graph_.insert(aten::__getitem__, {value, graph_.insertConstant(item.key())}));
    }
  }

  std::vector<Value*> pack_each(c10::ArrayRef<c10::IValue> values) {
    std::vector<Value*> packed;
    for (const c10::IValue& value : values) packed.push_back(pack(value));
    return packed;
  }

  Value* pack_dict(const c10::Dict<c10::IValue, c10::IValue>& dict) {
    std::vector<Value*> keys, values;
    for (const auto& item : dict) {
      keys.push_back(graph_.insertConstant(item.key()));
      values.push_back(pack(item.value()));
    }
    return graph_.insertNode(graph_.createDict(dict.keyType(), dict.valueType(), keys, values))
        ->output();
  }

  Value* pack(const c10::IValue& result) {
    if (result.isTensor()) {
      return result.toTensor().defined() ? tensors_.at(next_++)
                                         : graph_.insertConstant(c10::IValue());
    }
    if (result.isTuple()) {
      const auto packed = pack_each(result.toTupleRef().elements().asArrayRef());
      Node* tuple = graph_.insertNode(graph_.createTuple(packed));
      if (const auto type = result.type()->expect<c10::TupleType>(); type->schema() != nullptr)
        tuple->output()->setType(type);
      return tuple->output();
    }
    if (result.isList()) {
      const auto type = result.type()->containedType(0);
      return graph_.insertNode(graph_.createList(type, pack_each(result.toListRef())))->output();
    }
    if (result.isGenericDict()) return pack_dict(result.toGenericDict());
    if (result.isInt() || result.isDouble() || result.isBool()) ++next_;
    return graph_.insertConstant(result);
  }

  Graph& graph_;
  std::vector<Value*> tensors_; ///< of the recording
  std::size_t next_ = 0;
};

} // namespace

FlatModule record(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs,
                  const ReadOptions& options) {
  const torch::jit::Module used = verify::fresh_copy(module);
  torchscript::NodeMap map;
  torchscript::build_graph(used, options, &map);
  Watcher watcher(map);
  const verify::FlatGraph recording = verify::retrace(module, used, inputs, watcher);
  FlatModule flat;
  flat.graph = recording.graph;
  Signature signature(*flat.graph);
  signature.take(module.get_method("forward").function().getSchema().arguments(), inputs);
  signature.give(recording.result);
  read_weights(flat, module);
  simplify(flat);
  return flat;
}

} // namespace model_validator::partition
