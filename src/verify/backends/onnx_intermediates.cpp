#include "verify/backends/onnx_intermediates.h"

#include "connected_graph/onnx/names_read.h"
#include "verify/backends/onnx_parts.h"
#include "verify/backends/onnx_types.h"

#include <algorithm>
#include <iterator>
#include <onnx-ml.pb.h>
#include <set>

namespace model_validator::verify {
namespace {

/// Old files list their weights among the inputs.
std::set<std::string> given_inputs(const onnx::GraphProto& graph) {
  std::set<std::string> names;
  for (const auto& input : graph.input()) names.insert(input.name());
  for (const auto& weight : graph.initializer()) names.erase(weight.name());
  return names;
}

/// Under which a node still computes a value that it is given.
std::string unread(const std::string& value) { return value + "/replaced"; }

void detach(onnx::GraphProto& graph, const std::set<std::string>& values) {
  for (auto& node : *graph.mutable_node())
    for (auto& output : *node.mutable_output())
      if (values.contains(output)) output = unread(output);
}

/// Leaves out the others.
template <class Item, class Kept>
void keep(google::protobuf::RepeatedPtrField<Item>& items, const Kept& is_kept) {
  int kept = 0;
  for (int i = 0; i < items.size(); ++i)
    if (is_kept(i)) items.SwapElements(kept++, i);
  items.DeleteSubrange(kept, items.size() - kept);
}

std::set<std::string> names_of(const NamedTensors& tensors) {
  std::set<std::string> names;
  for (const auto& [name, tensor] : tensors) names.insert(name);
  return names;
}

void add_input(onnx::GraphProto& graph, const NamedTensor& value) {
  auto* input = graph.add_input();
  input->set_name(value.name);
  auto* type = input->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx_type_of(value.tensor.view.dtype));
  for (const auto size : value.tensor.view.shape)
    type->mutable_shape()->add_dim()->set_dim_value(size);
}

} // namespace

OnnxIntermediates::OnnxIntermediates(OnnxParts parts) : parts_(std::move(parts)) {
  const onnx::GraphProto& graph = parts_.structure->graph();
  std::set<std::string> known;
  const std::set<std::string> given = given_inputs(graph);
  for (const auto& node : graph.node()) {
    OnnxValue value{"", node.op_type(), {}, node.name()};
    const auto reads = reads_.insert(reads_.end(), onnx_format::names_read(node)); // each once
    for (const std::string& name : *reads) {
      value.reads_inputs = value.reads_inputs || given.count(name) != 0;
      if (known.count(name) != 0) value.inputs.push_back(name);
    }
    if (const int last = node.input_size() - 1; last >= 0 && known.count(node.input(last)) != 0)
      value.last_operand = node.input(last);
    for (const auto& output : node.output()) {
      if (output.empty()) continue;
      known.insert(value.name = output);
      makers_[output] = static_cast<int>(reads_.size()) - 1;
      values_.push_back(value);
    }
  }
  for (const auto& output : graph.output()) outputs_.push_back(output.name());
}

OnnxVariant OnnxIntermediates::with_weights(const onnx::ModelProto& model) const {
  const Names used = names_used(model.graph());
  OnnxVariant variant{model.SerializeAsString(), {}};
  std::ranges::copy_if(parts_.weights, std::back_inserter(variant.weights),
                       [&](const NamedTensor& weight) { return used.contains(weight.name); });
  return variant;
}

OnnxVariant OnnxIntermediates::variant(const std::vector<std::string>& outputs,
                                       const NamedTensors& replaced) const {
  auto model = *parts_.structure;
  auto& graph = *model.mutable_graph();
  const Names at_hand = names_of(replaced);
  std::vector<std::string> computed;
  std::ranges::copy_if(outputs, std::back_inserter(computed),
                       [&](const std::string& name) { return !at_hand.contains(name); });
  const auto needed = nodes_for(computed, at_hand);
  keep(*graph.mutable_node(), [&](int i) { return needed[static_cast<std::size_t>(i)]; });
  detach(graph, at_hand);
  for (const auto& value : replaced) add_input(graph, value);
  graph.clear_output();
  // The runtime infers their types.
  for (const auto& name : outputs) graph.add_output()->set_name(name);
  auto& weights = *graph.mutable_initializer();
  keep(weights, [&, used = names_used(graph)](int i) { return used.contains(weights[i].name()); });
  return with_weights(model);
}

std::vector<bool> OnnxIntermediates::nodes_for(const std::vector<std::string>& values,
                                               const Names& at_hand) const {
  std::vector<bool> needed(reads_.size());
  std::vector<std::size_t> open;
  const auto need = [&](const std::string& name) {
    const auto maker = makers_.find(name);
    if (maker == makers_.end() || needed[static_cast<std::size_t>(maker->second)]) return;
    open.push_back(static_cast<std::size_t>(maker->second));
    needed[open.back()] = true;
  };
  for (const std::string& value : values) need(value);
  while (!open.empty()) {
    const auto& reads = reads_[open.back()];
    open.pop_back();
    for (const std::string& name : reads)
      if (!at_hand.contains(name)) need(name);
  }
  return needed;
}

OnnxIntermediates::Names OnnxIntermediates::read_by(const std::vector<bool>& nodes) const {
  Names names;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i]) names.insert(reads_[i].begin(), reads_[i].end());
  return names;
}

OnnxPart OnnxIntermediates::part(const OnnxPartRequest& asked) const {
  Names at_hand = names_of(asked.at_hand);
  const auto nodes = nodes_for(asked.values, at_hand);
  const Names read = read_by(nodes);
  OnnxPart part{{}, {}, asked.values, {}};
  std::ranges::set_intersection(read, at_hand, std::inserter(part.inputs, part.inputs.end()));
  Names made;
  for (const auto& [name, maker] : makers_) {
    // Some operators want a constant to be one, and no input.
    const bool is_constant = parts_.structure->graph().node(maker).op_type() == "Constant";
    const bool can_be_kept = !is_constant && !asked.not_kept.contains(name);
    if (nodes[static_cast<std::size_t>(maker)] && can_be_kept && !at_hand.contains(name))
      made.insert(name);
  }
  at_hand.insert(made.begin(), made.end());
  std::vector<std::string> later;
  std::ranges::copy_if(asked.later, std::back_inserter(later),
                       [&](const std::string& name) { return !made.contains(name); });
  part.read_later = read_by(nodes_for(later, at_hand));
  part.read_later.insert(asked.later.begin(), asked.later.end());
  const Names wanted(asked.values.begin(), asked.values.end());
  for (const std::string& name : made)
    if (part.read_later.contains(name) && !wanted.contains(name)) part.outputs.push_back(name);
  part.variant = model_of(nodes, read, part, asked.at_hand);
  return part;
}

OnnxVariant OnnxIntermediates::model_of(const std::vector<bool>& nodes, const Names& read,
                                        const OnnxPart& part, const NamedTensors& at_hand) const {
  const onnx::ModelProto& whole = *parts_.structure;
  const onnx::GraphProto& all = whole.graph();
  onnx::ModelProto model;
  model.set_ir_version(whole.ir_version());
  *model.mutable_opset_import() = whole.opset_import();
  *model.mutable_functions() = whole.functions();
  auto& graph = *model.mutable_graph();
  graph.set_name(all.name());
  for (int i = 0; i < all.node_size(); ++i)
    if (nodes[static_cast<std::size_t>(i)]) *graph.add_node() = all.node(i);
  const Names yielded(part.outputs.begin(), part.outputs.end());
  const auto is_used = [&](const std::string& name) {
    return read.contains(name) || yielded.contains(name);
  };
  const Names given = given_inputs(all);
  for (const auto& input : all.input())
    if (given.contains(input.name()) || is_used(input.name())) *graph.add_input() = input;
  for (const auto& weight : all.initializer())
    if (is_used(weight.name())) *graph.add_initializer() = weight;
  for (const auto& weight : all.sparse_initializer())
    if (is_used(weight.values().name())) *graph.add_sparse_initializer() = weight;
  const Names replaced = names_of(at_hand);
  detach(graph, replaced);
  for (const auto& value : at_hand)
    if (part.inputs.contains(value.name)) add_input(graph, value);
  for (const std::string& name : part.outputs)
    graph.add_output()->set_name(replaced.contains(name) ? unread(name) : name);
  return with_weights(model);
}

} // namespace model_validator::verify
