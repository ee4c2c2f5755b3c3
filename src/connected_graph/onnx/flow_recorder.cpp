#include "connected_graph/onnx/flow_recorder.h"

#include "connected_graph/attributes.h"
#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/names_read.h"
#include "connected_graph/onnx/node_cost.h"
#include "connected_graph/quantised_role.h"

#include <algorithm>

namespace model_validator::onnx_format {
namespace {

/// The most numbers that are read of one tensor, and of a file.
constexpr std::uint64_t max_numbers = 1 << 16;
constexpr std::size_t max_numbers_of_file = 1 << 22;

// The depth of graphs was bounded when the file was filtered.
bool has_quantised_node(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const ::onnx::NodeProto& node) {
    return quantised_role(node.op_type()) != QuantisedRole::other ||
           std::ranges::any_of(graphs_of(node), [](const ::onnx::GraphProto* graph) {
             return has_quantised_node(graph->node());
           });
  });
}

bool is_quantised(const ::onnx::ModelProto& model) {
  return has_quantised_node(model.graph().node()) ||
         std::any_of(model.functions().begin(), model.functions().end(),
                     [](const auto& function) { return has_quantised_node(function.node()); });
}

} // namespace

FlowRecorder::FlowRecorder(const OnnxFile& source, NodeReader& reader, GraphAssembler& assembler,
                           bool wanted)
    : source_(source), reader_(reader), assembler_(assembler),
      enabled_(wanted || is_quantised(source.model)), numbers_left_(max_numbers_of_file) {}

void FlowRecorder::add_input(const Binding& binding, const std::string& name) {
  if (enabled_) flow_.inputs.push_back(value_of(binding, name, nullptr));
}

void FlowRecorder::add_output(const Binding& binding, const std::string& name) {
  if (enabled_) flow_.outputs.push_back(value_of(binding, name, nullptr));
}

void FlowRecorder::record(const ::onnx::NodeProto& node, const Scope& scope, const Place& place,
                          std::size_t flat) {
  if (!enabled_) return;
  FlowNode recorded;
  recorded.name = node.name();
  recorded.schema = schema_of(node);
  recorded.role = quantised_role(recorded.schema);
  recorded.region = place.region;
  for (const auto& attribute : node.attribute())
    if (const auto* found = reader_.given(attribute, place))
      if (auto value = onnx_format::value_of(*found, source_.filtered, source_.file))
        recorded.attributes.push_back({attribute.name(), std::move(*value)});
  for (const std::string& name : node.input())
    recorded.inputs.push_back(
        name.empty() ? none : value_of(reader_.input(node, name, scope), name, &scope));
  for (const std::string& name : node.output()) {
    const Binding* binding = name.empty() ? nullptr : scope.find(name);
    recorded.outputs.push_back(binding == nullptr ? none : value_of(*binding, name, &scope));
    if (binding != nullptr) flow_.values[recorded.outputs.back()].maker = flow_.nodes.size();
  }
  if (recorded.role != QuantisedRole::other) {
    flow_.quantised = true;
    add_quantisation(node, scope, recorded);
    mark_values(node, scope, recorded);
  }
  flow_.nodes.push_back(std::move(recorded));
  flat_numbers_.push_back(flat);
}

std::size_t FlowRecorder::value_of(const Binding& binding, const std::string& name,
                                   const Scope* scope) {
  const std::size_t next = flow_.values.size();
  std::size_t id = next;
  if (binding.tensor != nullptr)
    id = of_tensors_.try_emplace(binding.tensor, next).first->second;
  else if (binding.value != none)
    id = of_values_.try_emplace(binding.value, next).first->second;
  if (id == next) flow_.values.push_back(described(binding, name, scope));
  return id;
}

FlowValue FlowRecorder::described(const Binding& binding, const std::string& name,
                                  const Scope* scope) const {
  FlowValue value;
  value.name = name;
  value.parameter = binding.parameter;
  value.constant = binding.tensor != nullptr || binding.constant();
  if (binding.tensor != nullptr)
    value.type = tensor_type(*binding.tensor);
  else if (scope != nullptr)
    value.type = scope->type_of(name);
  else if (binding.value != none)
    value.type = assembler_.value(binding.value).type;
  if (value.type.dtype.empty()) value.type.dtype = binding.type.dtype;
  value.declared = value.constant && scope != nullptr && !scope->type_of(name).dtype.empty();
  return value;
}

void FlowRecorder::add_quantisation(const ::onnx::NodeProto& node, const Scope& scope,
                                    FlowNode& to) {
  for (const OperandPlaces& places : quantised_operands(node)) {
    if (places.operand >= node.input_size()) continue;
    auto quantisation = std::make_shared<Quantisation>();
    quantisation->scale = numbers_at(node, places.scale, scope);
    quantisation->zero_point = numbers_at(node, places.zero_point, scope);
    quantisation->axis = integer_of(to.attributes, "axis");
    quantisation->block_size = integer_of(to.attributes, "block_size").value_or(0);
    quantisation->dtype = stored_dtype(to, places, *quantisation);
    to.quantised.push_back({places.operand == OperandPlaces::result
                                ? QuantisedOperand::result
                                : static_cast<std::size_t>(places.operand),
                            std::move(quantisation)});
  }
  if (to.role == QuantisedRole::dequantise && node.input_size() > 0 && !node.input(0).empty())
    read_bias(to, reader_.input(node, node.input(0), scope));
}

QuantisationNumbers FlowRecorder::numbers_at(const ::onnx::NodeProto& node, int input,
                                             const Scope& scope) {
  QuantisationNumbers numbers;
  if (input < 0 || input >= node.input_size() || node.input(input).empty()) return numbers;
  const Binding& binding = reader_.input(node, node.input(input), scope);
  const FlowValue& value = flow_.values[value_of(binding, node.input(input), &scope)];
  numbers.name = node.input(input);
  numbers.type = value.type;
  numbers.given = true;
  numbers.constant = value.constant;
  numbers.values = read(binding);
  return numbers;
}

std::optional<std::vector<double>> FlowRecorder::read(const Binding& binding) {
  if (binding.tensor == nullptr) return std::nullopt;
  auto values = numbers_of(*binding.tensor, source_.filtered, source_.file,
                           std::min<std::uint64_t>(max_numbers, numbers_left_));
  if (values) numbers_left_ -= values->size();
  return values;
}

/// Whether it saturates is seen only in its numbers.
void FlowRecorder::read_bias(const FlowNode& node, const Binding& stored) {
  FlowValue& value = flow_.values[node.inputs[0]];
  if (value.constant && value.type.dtype == "int32" && !value.numbers && value.type.shape &&
      value.type.shape->size() == 1)
    value.numbers = read(stored);
}

std::string FlowRecorder::stored_dtype(const FlowNode& node, const OperandPlaces& places,
                                       const Quantisation& quantisation) const {
  if (places.operand != OperandPlaces::result) {
    const std::size_t operand = node.inputs.at(static_cast<std::size_t>(places.operand));
    return operand == none ? std::string() : flow_.values[operand].type.dtype;
  }
  if (quantisation.zero_point.given) return quantisation.zero_point.type.dtype;
  if (const auto output = integer_of(node.attributes, "output_dtype"); output && *output != 0)
    return dtype_name(static_cast<int>(std::clamp<std::int64_t>(*output, 0, 1 << 16)));
  return "uint8";
}

/// Tells the products what they carry: stored numbers, or real ones that were rounded.
void FlowRecorder::mark_values(const ::onnx::NodeProto& node, const Scope& scope,
                               const FlowNode& recorded) {
  for (const QuantisedOperand& each : recorded.quantised) {
    const bool of_result =
        each.operand == QuantisedOperand::result || recorded.role == QuantisedRole::dequantise;
    if (!of_result || node.output_size() == 0) continue;
    if (const Binding* binding = scope.find(node.output(0)); binding && binding->value != none)
      assembler_.set_quantisation(binding->value, each.quantisation);
  }
}

std::shared_ptr<const NodeFlow> FlowRecorder::finish(const GraphAssembler& assembler,
                                                     GraphBuilder& graph) {
  if (!enabled_) return nullptr;
  for (std::size_t i = 0; i < flow_.nodes.size(); ++i) {
    FlowNode& node = flow_.nodes[i];
    if (flat_numbers_[i] != none) node.op = assembler.op_of(flat_numbers_[i]);
    for (const QuantisedOperand& each : node.quantised) {
      if (each.operand == QuantisedOperand::result || node.inputs[each.operand] == none) continue;
      const ParameterId parameter = flow_.values[node.inputs[each.operand]].parameter;
      if (parameter == none) continue;
      Parameter& stored = graph.parameters()[parameter];
      stored.quantisation = each.quantisation;
      stored.buffer = false; // a weight, whatever it is stored as
    }
  }
  return std::make_shared<const NodeFlow>(std::move(flow_));
}

} // namespace model_validator::onnx_format
