#include "partition/torchscript/subgraph_module.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::partition {
namespace {

class SubgraphMaker {
public:
  SubgraphMaker(const Program& program, const SubgraphContents& contents, const ValueNames& names)
      : program_(program), contents_(contents), names_(names), subgraph_("Subgraph"),
        graph_(std::make_shared<Graph>()) {
    for (const ValueNumber input : contents.inputs)
      inputs_.push_back(program.numbers.values[input]);
    for (const ValueNumber output : contents.outputs)
      outputs_.push_back(program.numbers.values[output]);
  }

  torch::jit::Module make() {
    subgraph_.register_attribute("training", c10::BoolType::get(), false);
    self_ = graph_->addInput("self");
    values_[program_.flat.graph->inputs()[0]] = self_;
    for (Value* input : inputs_) {
      Value* parameter = graph_->addInput(names_.at(input));
      parameter->setType(input->type());
      values_[input] = parameter;
      brought_.push_back(input);
    }
    for (const std::size_t unit : contents_.units) add(unit);
    add_result();
    self_->setType(subgraph_.type());
    graph_->lint();
    auto* forward = subgraph_._ivalue()->compilation_unit()->create_function(
        c10::QualifiedName(*subgraph_.type()->name(), "forward"), graph_);
    subgraph_.type()->addMethod(forward);
    return subgraph_;
  }

private:
  void add(std::size_t number) {
    const Unit& unit = (*program_.units)[number];
    for (Value* read : unit.reads) resolve(read);
    Node* copy = graph_->createClone(unit.node, [this](Value* value) { return resolve(value); });
    if (Value* written = program_.memory->plainly_written(number);
        written != nullptr && is_seen_outside(number))
      copy->replaceInput(0, copy_of(resolve(written)));
    graph_->appendNode(copy);
    for (std::size_t i = 0; i < copy->outputs().size(); ++i)
      values_[unit.node->outputs()[i]] = copy->outputs()[i];
  }

  /// Whether something that shares memory with what the unit writes comes from outside, or leaves
  /// the subgraph.
  bool is_seen_outside(std::size_t unit) const {
    const auto shares = [&](Value* value) { return program_.memory->shares_before(unit, value); };
    return std::any_of(brought_.begin(), brought_.end(), shares) ||
           std::any_of(outputs_.begin(), outputs_.end(), shares);
  }

  Value* copy_of(Value* value) {
    Node* node = graph_->appendNode(graph_->create(aten::clone, {value, none_value()}));
    node->output()->setType(c10::TensorType::get());
    return node->output();
  }

  Value* none_value() {
    if (none_ == nullptr) {
      Node* node = graph_->createNone();
      none_ = graph_->prependNode(node)->output();
    }
    return none_;
  }

  /// The subgraph's value for one of the whole model. Constants and weights are copied in.
  Value* resolve(Value* value) {
    const auto found = values_.find(value);
    if (found != values_.end()) return found->second;
    Node& node = *value->node();
    Node* copy = nullptr;
    if (node.kind() == prim::Constant)
      copy = graph_->createClone(&node, [](Value* inner) { return inner; });
    else if (node.kind() == prim::GetAttr)
      copy = read_weight(node);
    else
      throw Error(ErrorKind::cannot_divide, "",
                  "the value `" + value->debugName() + "` of type `" +
                      value->type()->annotation_str() + "` cannot be passed to a subgraph");
    graph_->prependNode(copy);
    brought_.push_back(value);
    return values_[value] = copy->output();
  }

  Node* read_weight(const Node& node) {
    register_attribute(node.s(attr::name));
    Node* copy = graph_->create(prim::GetAttr, {self_});
    copy->s_(attr::name, node.s(attr::name));
    copy->output()->setType(node.output()->type());
    return copy;
  }

  void register_attribute(const std::string& name) {
    if (subgraph_.hasattr(name)) return;
    const auto& whole = *program_.flat.module.type();
    const auto slot = whole.getAttributeSlot(name);
    subgraph_.register_attribute(name, whole.getAttribute(slot), program_.flat.module.attr(name),
                                 whole.is_parameter(slot), whole.is_buffer(slot));
  }

  void add_result() {
    std::vector<Value*> results;
    for (Value* output : outputs_) results.push_back(resolve(output));
    if (results.empty()) results.push_back(none_value());
    if (results.size() == 1) {
      graph_->registerOutput(results[0]);
      return;
    }
    Node* tuple = graph_->appendNode(graph_->createTuple(results));
    graph_->registerOutput(tuple->output());
  }

  const Program& program_;
  const SubgraphContents& contents_;
  const ValueNames& names_;
  torch::jit::Module subgraph_;
  std::shared_ptr<Graph> graph_;
  std::vector<Value*> inputs_;
  std::vector<Value*> outputs_;
  std::vector<Value*> brought_; ///< from outside: inputs, constants and weights
  std::unordered_map<const Value*, Value*> values_;
  Value* self_ = nullptr;
  Value* none_ = nullptr;
};

} // namespace

torch::jit::Module make_subgraph(const Program& program, const SubgraphContents& contents,
                                 const ValueNames& names) {
  return SubgraphMaker(program, contents, names).make();
}

} // namespace model_validator::partition
