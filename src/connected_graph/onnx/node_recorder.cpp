#include "connected_graph/onnx/node_recorder.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/node_marks.h"
#include "connected_graph/onnx/shape_recorder.h"

#include <algorithm>

namespace model_validator::onnx_format {
namespace {

/// `[1,3,,8]`: as worked out, or else as declared; empty where none is known.
std::string sizes_of(const KnownType& type, TensorType declared, const shapes::Value& found) {
  ShapeRecorder::complete(declared, found);
  if (!type.rank || !declared.shape || declared.shape->size() != *type.rank) return {};
  std::string text;
  bool known = false;
  for (const std::int64_t size : *declared.shape) {
    known = known || size >= 0;
    text += (text.empty() ? "[" : ",") + (size < 0 ? std::string{} : std::to_string(size));
  }
  return known ? text + "]" : std::string{};
}

std::string described(const KnownType& type, const std::string& sizes) {
  return type.dtype + (type.rank ? "/" + std::to_string(*type.rank) : "") + sizes +
         (type.unranked ? std::string(unranked_mark) : "");
}

std::string described(const Binding& binding, TensorType declared) {
  std::string text =
      described(binding.type, sizes_of(binding.type, std::move(declared), binding.sizes));
  if (binding.stored())
    text += stored_mark;
  else if (binding.query || binding.worked_out)
    text += worked_out_mark;
  else if (binding.entry)
    text += entry_mark;
  return text;
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

void NodeRecorder::record_versions() {
  Operator versions{std::string(file_mark), {}, {}, {}};
  const auto add = [&versions](const std::string& name, std::int64_t version) {
    versions.attributes.push_back({name, std::clamp<std::int64_t>(version, 0, 1 << 20)});
  };
  if (source_.model.has_ir_version()) add("ir_version", source_.model.ir_version());
  for (const auto& opset : source_.model.opset_import())
    add(is_default_domain(opset.domain()) ? "ai.onnx" : opset.domain(), opset.version());
  graph_.file_operators.push_back(std::move(versions));
}

void NodeRecorder::record(const ::onnx::NodeProto& node, const Scope& scope, const Place& place,
                          const std::vector<KnownType>& yielded,
                          const std::vector<shapes::Value>& sizes, std::size_t flat) {
  if (!every_) {
    const auto [form, is_new] =
        forms_.emplace(form_of(node, scope, place, yielded), flat_numbers_.size());
    if (!is_new) {
      ++alike_[form->second];
      return;
    }
  }
  Operator kept{schema_of(node), {}, graph_.location(place.frame), {}};
  for (const auto& attribute : node.attribute())
    if (const auto* found = reader_.given(attribute, place);
        found && !attribute.name().starts_with('@'))
      kept.attributes.push_back({attribute.name(), setting(*found)});
  std::vector<std::string> inputs;
  for (const std::string& name : node.input())
    inputs.push_back(name.empty()
                         ? std::string(left_out)
                         : described(reader_.input(node, name, scope), scope.type_of(name)));
  std::vector<std::string> outputs;
  const bool compared = holds_to_declared(node, place);
  for (std::size_t i = 0; i < yielded.size(); ++i)
    if (const std::string& name = node.output(static_cast<int>(i)); name.empty())
      outputs.emplace_back(left_out);
    else
      outputs.push_back(
          described(yielded[i], sizes_of(yielded[i], scope.type_of(name), sizes.at(i))) +
          (compared && !yielded[i].declared.empty()
               ? std::string(declared_mark) + yielded[i].declared
               : ""));
  const int opset = reader_.opset_of(node, place);
  kept.attributes.push_back({std::string(name_mark), node.name()});
  kept.attributes.push_back({std::string(opset_mark), std::int64_t{opset}});
  kept.attributes.push_back({std::string(inputs_mark), std::move(inputs)});
  kept.attributes.push_back({std::string(outputs_mark), std::move(outputs)});
  graph_.file_operators.push_back(std::move(kept));
  flat_numbers_.push_back(flat);
  alike_.push_back(0);
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
    form += name.empty() ? left_out : std::string_view(dtype);
  };
  for (const std::string& name : node.input())
    add(name, name.empty() ? name : reader_.input(node, name, scope).type.dtype);
  form += '\n';
  const bool compared = holds_to_declared(node, place);
  for (std::size_t i = 0; i < yielded.size(); ++i) {
    add(node.output(static_cast<int>(i)), yielded[i].dtype);
    if (compared && !yielded[i].declared.empty()) form.append(declared_mark) += yielded[i].declared;
  }
  return form;
}

void NodeRecorder::name_ops(const GraphAssembler& assembler) {
  for (std::size_t i = 0; i < flat_numbers_.size(); ++i) {
    const bool part = flat_numbers_[i] != none;
    const std::int64_t op =
        part ? static_cast<std::int64_t>(assembler.op_of(flat_numbers_[i])) : -1;
    // The versions come before the nodes.
    auto& attributes = graph_.file_operators[i + 1].attributes;
    attributes.push_back({std::string(op_mark), op});
    if (alike_[i] > 0) attributes.push_back({std::string(alike_mark), alike_[i]});
  }
}

} // namespace model_validator::onnx_format
