#include "partition/onnx/element_types.h"

#include "partition/onnx/output_types_table.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace model_validator::partition {
namespace {

using ::onnx::TensorProto;

int element_type(const ::onnx::ValueInfoProto& value) {
  return value.type().tensor_type().elem_type();
}

const ::onnx::AttributeProto* attribute(const ::onnx::NodeProto& node, std::string_view name) {
  for (const auto& each : node.attribute())
    if (each.name() == name) return &each;
  return nullptr;
}

const ::onnx::GraphProto* graph_in(const ::onnx::NodeProto& node, std::string_view name) {
  const auto* found = attribute(node, name);
  return found != nullptr && found->has_g() ? &found->g() : nullptr;
}

std::string_view rule_of(const std::string& op_type) {
  const auto row = std::lower_bound(
      output_types_table.begin(), output_types_table.end(), op_type,
      [](const OutputTypes& each, const std::string& type) { return each.op_type < type; });
  return row != output_types_table.end() && row->op_type == op_type ? row->rule : "?";
}

/// The words of the table for types.
int type_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, int>, 7> names{
      {{"bool", TensorProto::BOOL},
       {"float", TensorProto::FLOAT},
       {"int32", TensorProto::INT32},
       {"int64", TensorProto::INT64},
       {"string", TensorProto::STRING},
       {"uint8", TensorProto::UINT8},
       {"double", TensorProto::DOUBLE}}};
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& each) { return each.first == name; });
  return found == names.end() ? TensorProto::UNDEFINED : found->second;
}

int type_of_constant(const ::onnx::NodeProto& node) {
  for (const auto& each : node.attribute()) {
    if (each.has_t()) return each.t().data_type();
    if (each.has_sparse_tensor()) return each.sparse_tensor().values().data_type();
    if (each.name().starts_with("value_float")) return TensorProto::FLOAT;
    if (each.name().starts_with("value_int")) return TensorProto::INT64;
    if (each.name().starts_with("value_string")) return TensorProto::STRING;
  }
  return TensorProto::UNDEFINED;
}

std::string key(const std::string& domain, const std::string& name, const std::string& overload) {
  return domain + '\n' + name + '\n' + overload;
}

} // namespace

bool is_default_domain(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

ElementTypes::ElementTypes(const ::onnx::ModelProto& model) {
  for (const auto& function : model.functions())
    functions_[key(function.domain(), function.name(), function.overload())] = &function;
  scopes_.emplace_back();
  declare(model.graph());
  follow(model.graph().node());
}

int ElementTypes::of(const std::string& value) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(value); found != scope->end()) return found->second;
  return TensorProto::UNDEFINED;
}

void ElementTypes::declare(const Graph& graph) {
  Scope& scope = scopes_.back();
  for (const auto& tensor : graph.initializer()) scope[tensor.name()] = tensor.data_type();
  for (const auto& sparse : graph.sparse_initializer())
    scope[sparse.values().name()] = sparse.values().data_type();
  for (const auto* list : {&graph.input(), &graph.value_info(), &graph.output()})
    for (const auto& value : *list)
      if (element_type(value) != TensorProto::UNDEFINED) scope[value.name()] = element_type(value);
}

void ElementTypes::follow(const Nodes& nodes) {
  for (const Node& node : nodes) follow(node);
}

void ElementTypes::follow(const Node& node) {
  const Types types = yielded(node);
  Scope& scope = scopes_.back();
  for (std::size_t i = 0; i < types.size() && i < static_cast<std::size_t>(node.output_size()); ++i)
    if (types[i] != TensorProto::UNDEFINED)
      scope.try_emplace(node.output(static_cast<int>(i)), types[i]);
}

ElementTypes::Types ElementTypes::yielded(const Node& node) {
  const auto function = functions_.find(key(node.domain(), node.op_type(), node.overload()));
  if (function != functions_.end()) return yielded_by_function(node, *function->second);
  if (!is_default_domain(node.domain())) return {};
  if (node.op_type() == "Constant") return {type_of_constant(node)};
  if (const Graph* branch = graph_in(node, "then_branch")) return yielded_by_branch(*branch);
  if (const Graph* body = graph_in(node, "body")) return yielded_by_body(node, *body);
  return yielded_by_rule(node, rule_of(node.op_type()));
}

/// A function sees nothing of what is around it.
ElementTypes::Types ElementTypes::yielded_by_function(const Node& node,
                                                      const ::onnx::FunctionProto& function) {
  Scope inside;
  for (int i = 0; i < function.input_size() && i < node.input_size(); ++i)
    inside[function.input(i)] = of(node.input(i));
  std::vector<Scope> around = std::exchange(scopes_, {});
  scopes_.push_back(std::move(inside));
  follow(function.node());
  Types types;
  for (const std::string& output : function.output()) types.push_back(of(output));
  scopes_ = std::move(around);
  return types;
}

ElementTypes::Types ElementTypes::yielded_by_branch(const Graph& branch) {
  scopes_.emplace_back();
  declare(branch);
  follow(branch.node());
  Types types;
  for (const auto& output : branch.output()) types.push_back(of(output.name()));
  scopes_.pop_back();
  return types;
}

/// `Loop` begins with trip count and condition, its body with iteration number and condition; only
/// the condition is among what the body yields.
ElementTypes::Types ElementTypes::yielded_by_body(const Node& node, const Graph& body) {
  const bool loop = node.op_type() == "Loop";
  Scope inputs;
  for (int i = 0; i < body.input_size(); ++i)
    inputs[body.input(i).name()] = type_of_input(node, static_cast<std::size_t>(i));
  scopes_.push_back(std::move(inputs));
  Types types = yielded_by_branch(body);
  scopes_.pop_back();
  if (loop && !types.empty()) types.erase(types.begin());
  return types;
}

ElementTypes::Types ElementTypes::yielded_by_rule(const Node& node, std::string_view rule) const {
  Types types;
  std::string_view word;
  for (int i = 0; i < node.output_size(); ++i) {
    if (!rule.empty()) {
      const auto end = std::min(rule.find(' '), rule.size());
      word = rule.substr(0, end);
      rule.remove_prefix(std::min(end + 1, rule.size()));
    }
    types.push_back(type_by(word, node));
  }
  return types;
}

int ElementTypes::type_by(std::string_view word, const Node& node) const {
  if (word.empty() || word == "?") return TensorProto::UNDEFINED;
  if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
    const auto slash = std::min(word.find('/'), word.size());
    std::size_t number = 0;
    std::from_chars(word.data(), word.data() + slash, number);
    const int type = type_of_input(node, number);
    if (type != TensorProto::UNDEFINED || slash == word.size()) return type;
    return number < static_cast<std::size_t>(node.input_size()) &&
                   !node.input(static_cast<int>(number)).empty()
               ? TensorProto::UNDEFINED
               : type_named(word.substr(slash + 1));
  }
  if (const int type = type_named(word); type != TensorProto::UNDEFINED) return type;
  const auto equals = std::min(word.find('='), word.size());
  if (const auto* given = attribute(node, word.substr(0, equals)))
    return given->has_t() ? given->t().data_type() : static_cast<int>(given->i());
  return equals < word.size() ? type_by(word.substr(equals + 1), node) : TensorProto::UNDEFINED;
}

int ElementTypes::type_of_input(const Node& node, std::size_t number) const {
  return number < static_cast<std::size_t>(node.input_size())
             ? of(node.input(static_cast<int>(number)))
             : TensorProto::UNDEFINED;
}

} // namespace model_validator::partition
