#include "connected_graph/onnx/converter.h"
#include "connected_graph/onnx/node_marks.h"
#include "connected_graph/onnx/yielded_types.h"

#include <algorithm>

// The nodes themselves, as a runtime meets them, with the types of what they take and yield.

namespace model_validator::onnx_format {
namespace {

int imported(const google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>& imports,
             const std::string& domain) {
  for (const auto& each : imports)
    if (each.domain() == domain || (is_default_domain(domain) && is_default_domain(each.domain())))
      return static_cast<int>(std::clamp<std::int64_t>(each.version(), 0, 1 << 20));
  return 0;
}

std::string described(const KnownType& type, bool constant) {
  return type.dtype + (type.rank ? "/" + std::to_string(*type.rank) : "") + (constant ? "!" : "");
}

} // namespace

std::vector<KnownType> Converter::types_yielded(const Node& node, const Scope& scope,
                                                const Place& place) const {
  std::vector<KnownType> types;
  for (const std::string& name : node.output())
    types.push_back(name.empty() ? KnownType{} : KnownType(scope.type_of(name)));
  if (!is_default_domain(node.domain())) return types;
  static const FunctionAttributes no_attributes;
  const FunctionAttributes& attributes = place.attributes ? *place.attributes : no_attributes;
  const auto find_attribute = [&](std::string_view name) -> const ::onnx::AttributeProto* {
    for (const auto& each : node.attribute())
      if (each.name() == name) return resolve(each, attributes);
    return nullptr;
  };
  const std::vector<YieldedType> yielded = yielded_types(node, find_attribute);
  for (std::size_t i = 0; i < types.size() && i < yielded.size(); ++i) {
    if (!types[i].dtype.empty()) continue;
    const auto number = static_cast<int>(yielded[i].input);
    if (yielded[i].input == YieldedType::no_input)
      types[i].dtype = dtype_name(yielded[i].type);
    else if (number < node.input_size() && !node.input(number).empty())
      types[i].dtype = find(node, node.input(number), scope)->type.dtype;
  }
  return types;
}

/// The value of an attribute that is no tensor or graph; `monostate` for those.
AttributeValue Converter::setting(const ::onnx::AttributeProto& attribute) const {
  if (type_of(attribute) == ::onnx::AttributeProto::TENSOR) return {};
  return value_of(attribute, source_.filtered, source_.file).value_or(std::monostate{});
}

void Converter::record_versions() {
  if (!records_) return;
  Operator versions{std::string(file_mark), {}, {}, {}};
  const auto add = [&versions](const std::string& name, std::int64_t version) {
    versions.attributes.push_back({name, std::clamp<std::int64_t>(version, 0, 1 << 20)});
  };
  if (source_.model.has_ir_version()) add("ir_version", source_.model.ir_version());
  for (const auto& opset : source_.model.opset_import())
    add(is_default_domain(opset.domain()) ? "ai.onnx" : opset.domain(), opset.version());
  graph_.file_operators.push_back(std::move(versions));
}

void Converter::record(const Node& node, const Scope& scope, const Place& place,
                       const std::vector<KnownType>& yielded, std::size_t flat) {
  if (!records_) return;
  Operator kept{schema_of(node), {}, graph_.location(place.frame), {}};
  for (const auto& attribute : node.attribute())
    if (const auto* found = given(attribute, place); found && !attribute.name().starts_with('@'))
      kept.attributes.push_back({attribute.name(), setting(*found)});
  std::vector<std::string> inputs;
  for (const std::string& input : node.input()) {
    const Binding* binding = input.empty() ? nullptr : find(node, input, scope);
    inputs.push_back(binding == nullptr
                         ? std::string(left_out)
                         : described(binding->type, binding->constant() || binding->query ||
                                                        binding->parameter != none));
  }
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < yielded.size(); ++i)
    outputs.push_back(node.output(static_cast<int>(i)).empty() ? std::string(left_out)
                                                               : described(yielded[i], false));
  const auto opset = imported(place.function != nullptr ? place.function->opset_import()
                                                        : source_.model.opset_import(),
                              node.domain());
  kept.attributes.push_back({std::string(name_mark), node.name()});
  kept.attributes.push_back({std::string(opset_mark), std::int64_t{opset}});
  kept.attributes.push_back({std::string(inputs_mark), std::move(inputs)});
  kept.attributes.push_back({std::string(outputs_mark), std::move(outputs)});
  graph_.file_operators.push_back(std::move(kept));
  flat_numbers_.push_back(flat);
}

void Converter::name_ops_of_nodes() {
  for (std::size_t i = 0; i < flat_numbers_.size(); ++i) {
    const bool part = flat_numbers_[i] != none;
    const std::int64_t op =
        part ? static_cast<std::int64_t>(assembler_.op_of(flat_numbers_[i])) : -1;
    graph_.file_operators[i + 1].attributes.push_back({std::string(op_mark), op});
  }
}

/// What an operator with subgraphs is comes behind what they hold.
std::vector<std::vector<OpId>> Converter::ops_of_nodes() const {
  std::vector<std::vector<OpId>> ops(first_flat_.size() - 1);
  for (std::size_t node = 0; node < ops.size(); ++node)
    for (std::size_t flat = first_flat_[node + 1]; flat-- > first_flat_[node];) {
      const OpId op = assembler_.op_of(flat);
      if (ops[node].empty() || ops[node].back() != op) ops[node].push_back(op);
    }
  return ops;
}

} // namespace model_validator::onnx_format
