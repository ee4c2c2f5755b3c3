#include "connected_graph/onnx/node_recorder.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/onnx_weights.h"
#include "connected_graph/onnx/shape_recorder.h"

#include <algorithm>
#include <variant>

namespace model_validator::onnx_format {
namespace {

/// With sizes as they are worked out, or else declared.
FileOperand operand_of(const KnownType& type, TensorType declared, const shapes::Value& found) {
  FileOperand operand{.dtype = type.dtype, .unranked = found.open};
  ShapeRecorder::complete(declared, found);
  if (!declared.shape) return operand;
  operand.rank = static_cast<int>(declared.shape->size());
  const auto known = [](std::int64_t size) { return size >= 0; };
  if (std::ranges::any_of(*declared.shape, known))
    for (const std::int64_t size : *declared.shape)
      operand.sizes.push_back(known(size) ? std::optional(size) : std::nullopt);
  return operand;
}

FileOperand operand_of(const Binding& binding, TensorType declared) {
  if (binding.absent) return {.given = false};
  FileOperand operand = operand_of(binding.type, std::move(declared), binding.sizes);
  operand.worked_out = !binding.stored() && (binding.query || binding.worked_out);
  operand.constant = binding.stored() || operand.worked_out;
  operand.entry = !operand.constant && binding.entry;
  operand.elements = binding.elements;
  if (binding.literal)
    if (const auto* number = std::get_if<std::int64_t>(&*binding.literal)) operand.number = *number;
  return operand;
}

/// What is longer is none of the words that an attribute may be.
constexpr std::size_t longest_word = 32;

/// ONNX Runtime passes over what is declared of constants, and of the values of a function.
bool holds_to_declared(const ::onnx::NodeProto& node, const Place& place) {
  return place.function == nullptr && node.op_type() != "Constant";
}

} // namespace

/// The value of an attribute; `monostate` for a tensor or graph.
AttributeValue NodeRecorder::setting(const ::onnx::AttributeProto& attribute) const {
  if (type_of(attribute) == ::onnx::AttributeProto::TENSOR) return {};
  return value_of(attribute, source_.filtered, source_.file).value_or(std::monostate{});
}

void NodeRecorder::record(const ::onnx::NodeProto& node, const Scope& scope, const Place& place,
                          const std::vector<KnownType>& yielded,
                          const std::vector<shapes::Value>& sizes, std::size_t flat) {
  if (!every_) {
    const auto [form, is_new] =
        forms_.emplace(form_of(node, scope, place, yielded), flat_numbers_.size());
    if (!is_new) {
      ++recorded_.nodes[form->second].alike;
      return;
    }
  }
  FileNode& kept = recorded_.nodes.emplace_back();
  kept.schema = schema_of(node);
  kept.name = node.name();
  kept.opset = reader_.opset_of(node, place);
  kept.source = graph_.location(place.frame);
  for (const auto& attribute : node.attribute())
    if (const auto* found = reader_.given(attribute, place))
      kept.attributes.push_back({attribute.name(), setting(*found)});
  for (const std::string& name : node.input())
    kept.inputs.push_back(name.empty()
                              ? FileOperand{.given = false}
                              : operand_of(reader_.input(node, name, scope), scope.type_of(name)));
  const bool compared = holds_to_declared(node, place);
  for (std::size_t i = 0; i < yielded.size(); ++i) {
    const std::string& name = node.output(static_cast<int>(i));
    kept.outputs.push_back(name.empty() ? FileOperand{.given = false}
                                        : operand_of(yielded[i], scope.type_of(name), sizes.at(i)));
    if (compared && !name.empty()) kept.outputs.back().declared = yielded[i].declared;
  }
  flat_numbers_.push_back(flat);
}

std::string NodeRecorder::form_of(const ::onnx::NodeProto& node, const Scope& scope,
                                  const Place& place, const std::vector<KnownType>& yielded) const {
  std::string form =
      node.domain() + '\n' + node.op_type() + '\n' + std::to_string(reader_.opset_of(node, place));
  static const FunctionAttributes nothing;
  for (const auto& attribute : node.attribute())
    if (const auto* found = resolve(attribute, place.attributes ? *place.attributes : nothing)) {
      form += '\n' + attribute.name() + '=' + std::to_string(type_of(*found));
      if (found->s().size() <= longest_word) form += found->s();
    }
  const auto add = [&form](const std::string& name, const std::string& dtype) {
    form += ' ';
    form += name.empty() ? "-" : dtype;
  };
  for (const std::string& name : node.input())
    add(name, name.empty() ? name : reader_.input(node, name, scope).type.dtype);
  form += '\n';
  const bool compared = holds_to_declared(node, place);
  for (std::size_t i = 0; i < yielded.size(); ++i) {
    add(node.output(static_cast<int>(i)), yielded[i].dtype);
    if (compared && !yielded[i].declared.empty()) form.append("=") += yielded[i].declared;
  }
  return form;
}

std::shared_ptr<const FileNodes> NodeRecorder::finish(const GraphAssembler& assembler,
                                                      std::vector<GraphForm> forms) {
  recorded_.forms = std::move(forms);
  const auto stamp = [this](const std::string& name, std::int64_t version) {
    recorded_.versions[name] = static_cast<int>(std::clamp<std::int64_t>(version, 0, 1 << 20));
  };
  if (source_.model.has_ir_version()) stamp("ir_version", source_.model.ir_version());
  for (const auto& opset : source_.model.opset_import())
    stamp(is_default_domain(opset.domain()) ? "ai.onnx" : opset.domain(), opset.version());
  for (std::size_t i = 0; i < flat_numbers_.size(); ++i)
    if (flat_numbers_[i] != none) recorded_.nodes[i].op = assembler.op_of(flat_numbers_[i]);
  try {
    recorded_.kept_apart = weights_kept_apart(source_);
  } catch (const Error& error) {
    recorded_.weights_fault = error;
  }
  return std::make_shared<const FileNodes>(std::move(recorded_));
}

} // namespace model_validator::onnx_format
