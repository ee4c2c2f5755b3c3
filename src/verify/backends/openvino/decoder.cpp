#include "verify/backends/openvino/decoder.h"

#include "verify/backends/openvino/types.h"
#include "verify/run/retrace.h"

#include <ATen/Functions.h>
#include <ATen/core/ivalue.h>
#include <c10/util/StringUtil.h>
#include <openvino/core/node_vector.hpp>
#include <openvino/frontend/complex_type_mark.hpp>
#include <openvino/op/constant.hpp>
#include <torch/csrc/jit/ir/constants.h>

#include <set>
#include <stdexcept>

namespace model_validator::verify {
namespace {

using ov::op::v0::Constant;

template <class T>
ov::OutputVector constant(const ov::element::Type& type, const ov::Shape& shape,
                          const std::vector<T>& values) {
  return std::make_shared<Constant>(type, shape, values)->outputs();
}

ov::OutputVector dense_constant(const at::Tensor& tensor) {
  const ov::Shape shape(tensor.sizes().begin(), tensor.sizes().end());
  const auto type = to_openvino(tensor.scalar_type());
  if (tensor.numel() == 0) return std::make_shared<Constant>(type, shape)->outputs();
  return std::make_shared<Constant>(type, shape, tensor.data_ptr())->outputs();
}

/// A complex tensor is a real one with a last dimension of two, and a mark.
ov::OutputVector complex_constant(const at::Tensor& tensor) {
  const auto parts = at::view_as_real(tensor.resolve_conj()).contiguous();
  const auto real = dense_constant(parts);
  return std::make_shared<ov::frontend::ComplexTypeMark>(real[0], real[0].get_element_type())
      ->outputs();
}

ov::OutputVector list_constant(const c10::IValue& value) {
  if (value.isIntList()) {
    const auto list = value.toIntVector();
    return constant<std::int64_t>(ov::element::i64, {list.size()}, list);
  }
  if (value.isDoubleList()) {
    const auto list = value.toDoubleVector();
    return constant<float>(ov::element::f32, {list.size()},
                           std::vector<float>(list.begin(), list.end()));
  }
  if (value.isBoolList()) {
    const auto list = value.toBoolList();
    return constant<char>(ov::element::boolean, {list.size()},
                          std::vector<char>(list.begin(), list.end()));
  }
  return {};
}

/// The constant as OpenVINO holds it; empty for what it has no constants for (strings, None).
ov::OutputVector to_constant(const c10::IValue& value) {
  if (value.isTensor()) {
    const auto tensor = value.toTensor().detach().contiguous();
    return tensor.is_complex() ? complex_constant(tensor) : dense_constant(tensor);
  }
  if (value.isInt()) return constant<std::int64_t>(ov::element::i64, {}, {value.toInt()});
  if (value.isDouble())
    return constant<float>(ov::element::f32, {}, {static_cast<float>(value.toDouble())});
  if (value.isBool()) return constant<char>(ov::element::boolean, {}, {value.toBool()});
  return list_constant(value);
}

std::string text_of(const c10::IValue& value) {
  if (value.isString()) return value.toStringRef();
  return value.isDevice() ? c10::DeviceTypeName(value.toDevice().type(), true) : "";
}

ov::PartialShape shape_of(const torch::jit::Value& value) {
  const auto type = value.type()->cast<c10::TensorType>();
  const auto sizes = type ? type->sizes().concrete_sizes() : std::nullopt;
  if (!sizes) return ov::PartialShape::dynamic();
  return ov::PartialShape(std::vector<ov::Dimension>(sizes->begin(), sizes->end()));
}

/// Their results never share memory with their inputs, whatever the alias analysis assumes.
bool makes_new_tensor(const std::string& kind) {
  static const std::set<std::string> kinds{"aten::conv1d",       "aten::conv2d", "aten::conv3d",
                                           "aten::_convolution", "aten::matmul", "aten::clone"};
  return kinds.count(kind) != 0;
}

} // namespace

TorchScriptDecoder::TorchScriptDecoder(std::shared_ptr<DecodedGraph> graph,
                                       torch::jit::Block* block)
    : graph_(std::move(graph)), block_(block) {
  inputs_ = block->inputs().vec();
  outputs_ = block->outputs().vec();
  note_values();
}

TorchScriptDecoder::TorchScriptDecoder(std::shared_ptr<DecodedGraph> graph, torch::jit::Node* node)
    : graph_(std::move(graph)), node_(node), operator_(node->kind().toQualString()) {
  inputs_ = node->inputs().vec();
  outputs_ = node->outputs().vec();
  note_values();
  const auto* schema = node->maybeSchema();
  schema_ = schema != nullptr ? c10::str(*schema) : "(no schema)";
  if (node->kind() == torch::jit::prim::Constant)
    if (const auto value = torch::jit::toIValue(node->output())) text_ = text_of(*value);
}

void TorchScriptDecoder::note_values() {
  for (const auto* value : inputs_) {
    input_ids_.push_back(value->unique());
    input_names_.push_back(value->debugName());
  }
  for (const auto* value : outputs_) {
    output_ids_.push_back(value->unique());
    output_names_.push_back(value->debugName());
  }
}

ov::PartialShape TorchScriptDecoder::get_input_shape(std::size_t index) const {
  return shape_of(*inputs_.at(index));
}
ov::PartialShape TorchScriptDecoder::get_output_shape(std::size_t index) const {
  return shape_of(*outputs_.at(index));
}
ov::Any TorchScriptDecoder::get_input_type(std::size_t index) const {
  return describe_type(inputs_.at(index)->type());
}
ov::Any TorchScriptDecoder::get_output_type(std::size_t index) const {
  return describe_type(outputs_.at(index)->type());
}

bool TorchScriptDecoder::input_is_none(std::size_t index) const {
  return index >= inputs_.size() || inputs_[index]->type()->kind() == c10::TypeKind::NoneType;
}

bool TorchScriptDecoder::may_produce_alias(std::size_t input, std::size_t output) const {
  return !makes_new_tensor(operator_) &&
         graph_->aliases.mayContainAlias(inputs_.at(input), outputs_.at(output));
}

ov::Any TorchScriptDecoder::const_input(std::size_t) const {
  throw std::logic_error("constant inputs are nodes of their own in TorchScript");
}

ov::OutputVector TorchScriptDecoder::as_constant() const {
  if (node_ == nullptr || node_->kind() != torch::jit::prim::Constant) return {};
  const auto value = torch::jit::toIValue(node_->output());
  auto constant = value ? to_constant(*value) : ov::OutputVector();
  if (!constant.empty()) constant[0].get_node()->set_friendly_name(output_names_[0]);
  return constant;
}

ov::OutputVector TorchScriptDecoder::try_decode_get_attr() const {
  throw std::logic_error("a flat graph has no attributes");
}

std::shared_ptr<ov::Node> TorchScriptDecoder::mark_node(std::shared_ptr<ov::Node> node) const {
  if (node_ != nullptr) node->set_friendly_name(module_path_of(*node_) + "/" + operator_);
  return node;
}

std::size_t TorchScriptDecoder::get_subgraph_size() const {
  return node_ != nullptr ? node_->blocks().size() : 1;
}

void TorchScriptDecoder::visit_subgraph(
    std::function<void(std::shared_ptr<TorchDecoder>)> visit) const {
  for (auto* node : block_->nodes()) {
    shown_.push_back(std::make_shared<TorchScriptDecoder>(graph_, node));
    visit(shown_.back());
  }
}

std::shared_ptr<ov::frontend::pytorch::TorchDecoder>
TorchScriptDecoder::get_subgraph_decoder(std::size_t index) const {
  shown_.push_back(std::make_shared<TorchScriptDecoder>(graph_, node_->blocks().at(index)));
  return shown_.back();
}

std::size_t TorchScriptDecoder::get_named_input(const std::string& name) const {
  throw std::logic_error("no input is named " + name);
}

} // namespace model_validator::verify
