#include "connected_graph/onnx/converter.h"

#include "connected_graph/canonical_type.h"
#include "connected_graph/file_nodes.h"
#include "connected_graph/onnx/chain_forms.h"
#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/names_read.h"
#include "connected_graph/onnx/node_cost.h"
#include "connected_graph/onnx/onnx_weights.h"
#include "connected_graph/onnx/sequence_elements.h"
#include "connected_graph/onnx/size_forms.h"
#include "connected_graph/onnx/value_makers.h"
#include "connected_graph/onnx/weight_forms.h"
#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"
#include "connected_graph/quantised_role.h"
#include "connected_graph/query_ops.h"
#include "connected_graph/undecomposed_type.h"

#include <model_validator/data/dtype.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <type_traits>
#include <variant>

namespace model_validator::onnx_format {

namespace {

/// A constant that configures an operator, such as a shape: each of its users keeps a copy.
bool is_setting(const AttributeValue& value) {
  constexpr std::size_t max_elements = 64;
  constexpr std::size_t max_text_length = 1024;
  return std::visit(
      [](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::string>)
          return held.size() <= max_text_length;
        else if constexpr (std::is_same_v<Held, std::vector<std::string>>)
          return held.size() <= max_elements &&
                 std::all_of(held.begin(), held.end(),
                             [](const auto& text) { return text.size() <= max_text_length; });
        else if constexpr (requires { held.size(); })
          return held.size() <= max_elements;
        else
          return true;
      },
      value);
}

bool has_open_size(const TensorType& type) {
  return !type.shape ||
         std::any_of(type.shape->begin(), type.shape->end(), [](auto size) { return size < 0; });
}

/// Whether a constant stays one to a runtime that folds none.
bool passes_on(const ::onnx::NodeProto& node) {
  return is_default_domain(node.domain()) && does(node.op_type(), Does::keeps | Does::converts);
}

bool yields_sizes(const ::onnx::NodeProto& node) {
  return is_default_domain(node.domain()) &&
         (node.op_type() == "Shape" || node.op_type() == "Size");
}

template <class Number> bool does_not_fit_int32(Number number) {
  using Limits = std::numeric_limits<std::int32_t>;
  return number < Limits::min() || number > Limits::max();
}

bool any_beyond_int32(const AttributeValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return does_not_fit_int32(*number);
  const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
  return list != nullptr && std::ranges::any_of(*list, does_not_fit_int32<std::int64_t>);
}

/// What a list of its numbers leaves open.
std::string text_of(const ::onnx::TensorProto& tensor) {
  std::string text = std::to_string(tensor.data_type()) + "[";
  for (const std::int64_t size : tensor.dims()) text += std::to_string(size) + ",";
  return text;
}

/// Names of sizes mean nothing. Protobuf bounds how deep types nest.
std::string text_of(const ::onnx::TypeProto& type) {
  const auto of_tensor = [](const char* kind, const auto& tensor) {
    std::string text = kind + std::to_string(tensor.elem_type()) + (tensor.has_shape() ? "[" : "");
    for (const auto& size : tensor.shape().dim())
      text += (size.has_dim_value() ? std::to_string(size.dim_value()) : "?") + ",";
    return text;
  };
  if (type.has_tensor_type()) return of_tensor("tensor ", type.tensor_type());
  if (type.has_sparse_tensor_type()) return of_tensor("sparse ", type.sparse_tensor_type());
  if (type.has_sequence_type()) return "sequence " + text_of(type.sequence_type().elem_type());
  if (type.has_optional_type()) return "optional " + text_of(type.optional_type().elem_type());
  if (type.has_map_type())
    return "map " + std::to_string(type.map_type().key_type()) + " " +
           text_of(type.map_type().value_type());
  return "none";
}

/// What a value says, without what it is called.
::onnx::AttributeProto without_names(::onnx::AttributeProto attribute) {
  attribute.clear_doc_string();
  if (attribute.has_sparse_tensor()) {
    attribute.mutable_sparse_tensor()->mutable_values()->clear_name();
    attribute.mutable_sparse_tensor()->mutable_indices()->clear_name();
  }
  return attribute;
}

/// Whether an operand decides if a node drops anything.
bool is_training_mode(const ::onnx::NodeProto& node, int input) {
  return node.op_type() == "Dropout" && input == 2;
}

} // namespace

Converter::Converter(const OnnxFile& source, const ReadOptions& options)
    : source_(source), assembler_(graph_, source.file.path().string(), options.max_ops),
      hierarchy_(graph_), reader_(source, options), places_(graph_, hierarchy_, reader_),
      quantisation_(source, reader_, graph_, assembler_),
      shapes_(source, reader_), stored_{source} {}

ConnectedGraph Converter::convert(OwnGraph* own) {
  read_header();
  add_declared_forms(source_, forms_);
  for (const auto& function : source_.model.functions())
    functions_.emplace(function.domain() + '\n' + function.name() + '\n' + function.overload(),
                       &function);
  read_graph(source_.model.graph(), own);
  graph_.origin.statements.push_back({"rest of the attributes", std::move(unconverted_)});
  graph_.origin.statements.push_back({"types of inputs and outputs", std::move(declared_)});
  assembler_.rename_modules(
      merge_aliases(graph_, tensors_of_leaves(graph_, assembler_.program(), stored_, hierarchy_)));
  hierarchy_.classify();
  assembler_.number_calls();
  assembler_.finish();
  graph_.file_nodes = file_facts();
  graph_.shapes = shapes_.finish(assembler_, graph_);
  if (own != nullptr) own->ops_of_nodes = ops_of_nodes();
  graph_.program = assembler_.take_program();
  // Scopes in names do not distinguish the calls of a module.
  if (!graph_.origin.has_modules)
    for (Module& module : graph_.modules()) {
      module.call_sites.clear();
      module.calls = 0;
    }
  attach_parameters(graph_);
  return std::move(graph_);
}

/// What the file says beside its nodes, after assembly.
std::shared_ptr<const FileNodes> Converter::file_facts() {
  FileNodes facts;
  const auto stamp = [&facts](const std::string& name, std::int64_t version) {
    facts.versions[name] = static_cast<int>(std::clamp<std::int64_t>(version, 0, 1 << 20));
  };
  if (source_.model.has_ir_version()) stamp("ir_version", source_.model.ir_version());
  for (const auto& opset : source_.model.opset_import())
    stamp(is_default_domain(opset.domain()) ? "ai.onnx" : opset.domain(), opset.version());
  for (const shapes::OpenRank& open : shapes_.open_ranks())
    forms_.add(open.kind, open.sentence, open.node);
  facts.forms = forms_.finish(assembler_, ops_of_nodes());
  try {
    facts.weights = list_onnx_weights(source_);
    std::ranges::copy_if(
        facts.weights, std::back_inserter(facts.kept_apart),
        [&](const StoredWeights& each) { return each.file != source_.file.path(); });
  } catch (const Error& error) {
    facts.weights_fault = error;
  }
  return std::make_shared<const FileNodes>(std::move(facts));
}

void Converter::read_header() {
  const auto& model = source_.model;
  graph_.origin.path = source_.file.path().string();
  graph_.origin.format = FileFormat::onnx;
  graph_.origin.file_bytes = source_.file.size();
  graph_.origin.has_modules = false;
  graph_.origin.traced = true;
  graph_.origin.producer = model.producer_name();
  if (!model.producer_version().empty()) graph_.origin.producer += " " + model.producer_version();
  for (const auto& opset : model.opset_import())
    if (is_default_domain(opset.domain()))
      graph_.origin.opset = static_cast<int>(std::clamp<std::int64_t>(opset.version(), 0, 1 << 20));
  state_interface();
  state_opsets(model.opset_import(), "");
  for (const auto& function : model.functions())
    state_opsets(function.opset_import(), " in function " + function.domain() +
                                              "::" + function.name() + function.overload());
}

/// Values are passed and returned by name.
void Converter::state_interface() {
  const auto names_of = [](const auto& values) {
    std::string names;
    for (const auto& value : values) names += (names.empty() ? "" : ", ") + value.name();
    return names;
  };
  const Graph& graph = source_.model.graph();
  // Before version 4 of the format, callers may replace every weight.
  const bool replaced = source_.model.ir_version() < 4;
  graph_.origin.statements.push_back(
      {"list of inputs", names_of(graph.input()) + (replaced ? ", and every weight" : "")});
  graph_.origin.statements.push_back({"list of outputs", names_of(graph.output())});
  note_declared(graph);
}

/// Runtimes hold a graph to the types that it declares of its inputs and outputs.
void Converter::note_declared(const Graph& graph) {
  if (graph.name().empty()) declared_ += "nameless:";
  for (const auto* list : {&graph.input(), &graph.output()}) {
    for (const auto& value : *list)
      declared_ += (value.name().empty() ? "nameless " : "") + text_of(value.type()) + ",";
    declared_ += ";";
  }
}

template <class Opsets>
void Converter::state_opsets(const Opsets& opsets, const std::string& where) {
  std::map<std::string, std::int64_t> versions;
  for (const auto& opset : opsets)
    versions[is_default_domain(opset.domain()) ? "ai.onnx" : opset.domain()] = opset.version();
  for (const auto& [domain, version] : versions)
    graph_.origin.statements.push_back({"opset of " + domain + where, std::to_string(version)});
}

void Converter::read_graph(const Graph& graph, OwnGraph* own) {
  Scope scope(nullptr);
  hierarchy_.at("");
  declare_types(graph, scope);
  bind_initializers(graph, scope);
  for (const auto& input : graph.input()) {
    if (scope.find(input.name()) != nullptr) continue; // a default value is listed as a weight
    const TensorType type = scope.tensor_declared(input.name());
    const ValueId value = assembler_.add_value(input.name(), type);
    assembler_.add_input(value);
    Binding binding;
    binding.value = value;
    binding.type = scope.declared(input.name());
    assembler_.value(value).type.dtype = binding.type.dtype;
    assembler_.value(value).kind = binding.type.kind;
    binding.sizes = shapes_.of_input(input);
    shapes_.note(value, input.name(), {}, binding.sizes);
    sizes_are_open_ = sizes_are_open_ || has_open_size(type);
    assembler_.value(value).unranked = binding.sizes.open;
    assembler_.value(value).free_axes = ShapeRecorder::free_axes(binding.sizes);
    bind(scope, input.name(), std::move(binding));
  }
  for (const Node& node : graph.node()) {
    first_flat_.push_back(assembler_.nodes().size());
    convert_node(node, scope, {});
  }
  first_flat_.push_back(assembler_.nodes().size());
  for (const auto& output : graph.output()) {
    const Binding* binding = scope.find(output.name());
    if (binding == nullptr) reader_.fail("output `" + output.name() + "` is made by no node");
    assembler_.add_output(output.name(), binding->value);
    if (binding->type.kind == ValueKind::sequence)
      forms_.add("sequence-output", "the output `" + output.name() + "` is a sequence");
  }
  add_forms(graph, scope);
  if (own != nullptr) own->dtypes = scope.dtypes();
}

void Converter::declare_types(const Graph& graph, Scope& scope) const {
  for (const auto* list : {&graph.value_info(), &graph.input(), &graph.output()})
    for (const auto& value : *list)
      scope.declare(value.name(), tensor_type(value.type()), declared_type(value.type()));
}

void Converter::bind(Scope& scope, const std::string& name, Binding binding) const {
  if (scope.bind(name, std::move(binding))) return;
  const std::string makers = makers_in_words(source_.model, name);
  reader_.fail("value `" + name + "` is defined twice" + (makers.empty() ? "" : ": by " + makers));
}

void Converter::bind_initializers(const Graph& graph, Scope& scope) {
  for (const auto& tensor : graph.initializer()) {
    Binding binding = bind_tensor(tensor, tensor.name());
    assembler_.value(binding.value).declared = !scope.tensor_declared(tensor.name()).dtype.empty();
    bind(scope, tensor.name(), std::move(binding));
  }
  for (const auto& sparse : graph.sparse_initializer()) {
    bind(scope, sparse.values().name(), bind_sparse(sparse));
    for (const std::int64_t size : sparse.dims()) unconverted_ += std::to_string(size) + ",";
  }
}

/// What is stored are its numbers that are not zero: its own dimensions are those of the value.
Binding Converter::bind_sparse(const ::onnx::SparseTensorProto& sparse) {
  Binding binding = bind_tensor(sparse.values(), sparse.values().name());
  binding.sizes = ShapeRecorder::of_sparse(sparse);
  binding.literal.reset();
  binding.tensor = nullptr;
  ShapeRecorder::complete(assembler_.value(binding.value).type = {{}, binding.type.dtype},
                          binding.sizes);
  binding.passed_on = true;
  return binding;
}

/// Of a large tensor, or one that is stored in another file, nobody looks.
bool Converter::is_beyond_int32(const Binding& binding) const {
  constexpr std::uint64_t max_looked_at = 4096;
  const bool whole = binding.type.dtype == "int64" || binding.type.dtype == "uint64";
  if (!whole) return false;
  if (binding.literal) return any_beyond_int32(*binding.literal);
  const auto numbers = numbers_of(*binding.tensor, source_.filtered, source_.file, max_looked_at);
  return numbers && std::ranges::any_of(*numbers, does_not_fit_int32<double>);
}

Binding Converter::bind_tensor(const ::onnx::TensorProto& tensor, const std::string& name) {
  Binding binding;
  binding.tensor = &tensor;
  binding.literal = literal(tensor, source_.filtered, source_.file);
  binding.type = tensor_of(tensor.data_type());
  binding.sizes = ShapeRecorder::of_tensor(tensor, name, binding.literal);
  binding.value = assembler_.add_value({.name = name,
                                        .type = tensor_type(tensor),
                                        .kind = ValueKind::tensor,
                                        .origin = Origin::stored,
                                        .held = true});
  assembler_.value(binding.value).number = binding.number();
  assembler_.value(binding.value).beyond_int32 = is_beyond_int32(binding);
  if (binding.literal) return binding;
  Parameter parameter;
  parameter.path = name;
  parameter.name = name.substr(name.rfind('.') + 1);
  parameter.type = tensor_type(tensor);
  parameter.bytes = byte_count(tensor, source_.file.path().string());
  parameter.storage = graph_.parameters().size() + 1;
  const auto dtype = dtype_numbered(&DTypeFacts::onnx, tensor.data_type());
  parameter.buffer = !dtype || !is_floating(*dtype);
  assembler_.value(binding.value).parameter = graph_.add_parameter(std::move(parameter));
  stored_.of_parameters.push_back(&tensor);
  return binding;
}

void Converter::convert_nodes(const google::protobuf::RepeatedPtrField<Node>& nodes, Scope& scope,
                              const Place& around) {
  for (const Node& node : nodes) convert_node(node, scope, around);
}

void Converter::convert_node(const Node& node, Scope& scope, const Place& around) {
  reader_.spend(node_cost(node));
  const Place place = places_.place_of(node, around);
  if (const auto* function = function_of(node)) return convert_call(node, *function, scope, place);
  if (has_subgraph(node)) return convert_with_subgraphs(node, scope, place);
  if (is_default_domain(node.domain()) && node.op_type() == "Constant")
    return convert_constant(node, scope, place);
  convert_operator(node, scope, place);
}

/// What the attribute of a `Constant` says.
void Converter::read_constant(const ::onnx::AttributeProto& attribute, Binding& to) {
  to.literal = value_of(attribute, source_.filtered, source_.file);
  if (attribute.has_sparse_tensor()) to.sizes = ShapeRecorder::of_sparse(attribute.sparse_tensor());
  if (attribute.has_t()) to.tensor = &attribute.t();
  if (to.literal && !is_setting(*to.literal)) to.literal.reset();
  if (!to.literal && !attribute.has_t())
    unconverted_ += without_names(attribute).SerializeAsString();
}

/// Of a graph whose names are all bound.
void Converter::add_forms(const Graph& graph, const Scope& scope) {
  const GraphLinks links(graph, scope);
  add_chain_forms(graph, scope, links, source_, forms_);
  add_weight_forms(graph, scope, links, source_, forms_);
  add_size_forms(graph, scope, forms_);
}

/// What a `Constant` holds, which its node states in whichever of its attributes is given.
Binding Converter::constant_of(const Node& node, Scope& scope, const Place& place,
                               ProgramNode& constant) {
  Binding binding;
  for (const auto& attribute : node.attribute()) {
    const auto* found = reader_.given(attribute, place);
    if (found == nullptr) continue;
    read_constant(*found, binding);
    if (binding.tensor != nullptr && !binding.literal)
      scope.declare(node.output(0), tensor_type(*binding.tensor),
                    tensor_of(binding.tensor->data_type()));
    if (binding.literal && !found->has_t())
      constant.attributes.push_back({attribute.name(), *binding.literal});
    else
      constant.opaque.push_back(attribute.name());
  }
  return binding;
}

void Converter::convert_constant(const Node& node, Scope& scope, const Place& place) {
  if (node.output_size() != 1 || node.output(0).empty())
    reader_.fail("constant `" + node.name() + "` does not have exactly one output");
  ProgramNode constant = node_of(node, place);
  const bool declared = !scope.tensor_declared(node.output(0)).dtype.empty();
  Binding binding = constant_of(node, scope, place, constant);
  const std::vector<KnownType> types = reader_.types_yielded(node, scope, place);
  binding.type = types.front();
  if (!binding.sizes.shape) binding.sizes = ShapeRecorder::of_constant(node, binding);
  if (binding.constant()) {
    bind_literal(node.output(0), std::move(constant), scope, std::move(binding));
    assembler_.value(scope.at(node.output(0)).value).declared = declared;
    return;
  }
  constant.kind = OpKind::constant;
  constant.origin.clear();
  constant.origin_schema.clear();
  bind_outputs(node, scope, place, constant, false, types, {binding.sizes});
  scope.at(node.output(0)).tensor = binding.tensor;
  assembler_.value(constant.outputs[0]).declared = declared;
  assembler_.add(std::move(constant));
}

/// Its readers hold it: no op makes it.
void Converter::bind_literal(const std::string& name, ProgramNode constant, Scope& scope,
                             Binding binding) {
  TensorType type{{}, binding.type.dtype};
  ShapeRecorder::complete(type, binding.sizes);
  binding.value = assembler_.add_value({.name = name,
                                        .type = std::move(type),
                                        .kind = ValueKind::tensor,
                                        .origin = Origin::stored,
                                        .held = true});
  assembler_.value(binding.value).number = binding.number();
  assembler_.value(binding.value).beyond_int32 = is_beyond_int32(binding);
  constant.outputs = {binding.value};
  assembler_.add_literal(std::move(constant));
  bind(scope, name, std::move(binding));
}

void Converter::convert_operator(const Node& node, Scope& scope, const Place& place) {
  ProgramNode flat = node_of(node, place);
  bool query = node.input_size() > 0;
  add_inputs(node, scope, flat, query);
  add_attributes(node, place, flat);
  if (is_default_domain(node.domain())) flat.type = canonical_type(flat.schema, flat.attributes);
  query = query || yields_sizes(node) || is_query_type(type_of_schema(flat.origin_schema));
  if (query) flat.kind = OpKind::query;
  const std::vector<KnownType> types = reader_.types_yielded(node, scope, place);
  std::vector<shapes::Value> sizes = shapes_.of_node(node, scope, place, assembler_.nodes().size());
  bind_outputs(node, scope, place, flat, query, types, std::move(sizes));
  note_origin(node, query, scope);
  quantisation_.read(node, scope, flat);
  assembler_.add(std::move(flat));
}

bool Converter::hands_on_beyond_int32(const Node& node, const Scope& scope) {
  const auto is_beyond = [this](const Binding* each) {
    return each != nullptr && each->value != none && assembler_.value(each->value).beyond_int32;
  };
  return does(node.op_type(), Does::keeps) &&
         std::ranges::any_of(reader_.inputs_of(node, scope), is_beyond);
}

void Converter::note_origin(const Node& node, bool query, Scope& scope) {
  bool stored = true, known = query || node.input_size() > 0, counted = false;
  for (const std::string& name : node.input()) {
    if (name.empty()) continue;
    const Binding& input = reader_.input(node, name, scope);
    stored = stored && input.stored();
    counted = counted || input.counted;
    known = known && (query || input.stored() || input.query || input.worked_out);
  }
  for (const std::string& name : node.output()) {
    if (name.empty()) continue;
    Binding& output = scope.at(name);
    output.passed_on = stored && passes_on(node);
    output.worked_out = known;
    output.counted = counted;
    output.elements = elements_yielded(node, reader_.inputs_of(node, scope));
    ProgramValue& value = assembler_.value(output.value);
    value.elements = output.elements;
    value.beyond_int32 = hands_on_beyond_int32(node, scope);
    value.origin = output.passed_on ? Origin::passed_on
                   : known          ? Origin::worked_out
                                    : Origin::computed;
  }
}

ProgramNode Converter::node_of(const Node& node, const Place& place) const {
  ProgramNode flat;
  flat.name = node.name();
  flat.opset = reader_.opset_of(node, place);
  flat.schema = schema_of(node) + (node.overload().empty() ? "" : "." + node.overload());
  flat.role = quantised_role(flat.schema);
  flat.type = type_of_schema("onnx::" + node.op_type());
  flat.stack = place.stack;
  flat.frame = place.frame;
  flat.region = place.region;
  flat.origin = place.operation;
  flat.origin_schema = place.schema;
  if (!place.schema.empty()) flat.origin_type = undecomposed_type(place.schema);
  return flat;
}

/// An op lists a parameter once, and a number without its dtype and dimensions.
void Converter::note_constant(int input, const Binding& binding) {
  if (const auto parameter = assembler_.program().parameter_of(binding.value); parameter != none)
    unconverted_ += std::to_string(input) + " is " + std::to_string(parameter) + ";";
  if (binding.constant() && binding.tensor != nullptr)
    unconverted_ += std::to_string(input) + " is " + text_of(*binding.tensor) + ";";
}

void Converter::add_inputs(const Node& node, const Scope& scope, ProgramNode& to, bool& query) {
  for (int i = 0; i < node.input_size(); ++i) {
    if (node.input(i).empty()) {
      to.inputs.push_back(none);
      continue;
    }
    const Binding& binding = reader_.input(node, node.input(i), scope);
    to.inputs.push_back(binding.value);
    note_constant(i, binding);
    if (binding.constant()) {
      to.arguments.push_back(
          {constant_input_name(node.op_type(), static_cast<std::size_t>(i)), *binding.literal});
    } else if (is_training_mode(node, i)) {
      to.arguments.push_back({"training_mode", std::string("computed")});
    }
    query = query && (binding.constant() || binding.query);
  }
}

void Converter::add_attributes(const Node& node, const Place& place, ProgramNode& to) {
  for (const auto& attribute : node.attribute()) {
    const auto* found = reader_.given(attribute, place);
    if (found == nullptr) continue;
    auto value = value_of(*found, source_.filtered, source_.file);
    const bool tensor = type_of(*found) == ::onnx::AttributeProto::TENSOR;
    if (tensor || !value) to.opaque.push_back(attribute.name());
    if (value)
      (tensor ? to.arguments : to.attributes).push_back({attribute.name(), std::move(*value)});
    else if (!found->has_t() && !found->has_g() && found->graphs_size() == 0)
      unconverted_ += without_names(*found).SerializeAsString();
  }
}

/// ONNX Runtime passes over what is declared of constants, and of the values of a function.
bool holds_to_declared(const ::onnx::NodeProto& node, const Place& place) {
  return place.function == nullptr && node.op_type() != "Constant";
}

void Converter::bind_outputs(const Node& node, Scope& scope, const Place& place, ProgramNode& to,
                             bool query, const std::vector<KnownType>& types,
                             std::vector<shapes::Value> sizes) {
  for (int i = 0; i < node.output_size(); ++i) {
    const std::string& name = node.output(i);
    shapes::Value& found = sizes.at(static_cast<std::size_t>(i));
    const TensorType declared = scope.tensor_declared(name);
    TensorType type = declared;
    ShapeRecorder::complete(type, found);
    const KnownType& known = types.at(static_cast<std::size_t>(i));
    type.dtype = known.dtype;
    if (type.shape) reader_.spend(cost_of_bytes(type.shape->size() * sizeof(std::int64_t)));
    const ValueId value =
        assembler_.add_value({.name = name,
                              .type = std::move(type),
                              .kind = known.kind,
                              .unranked = found.open,
                              .free_axes = ShapeRecorder::free_axes(found),
                              .other_type = holds_to_declared(node, place) ? known.declared : ""});
    to.outputs.push_back(value);
    shapes_.note(value, name, declared, found);
    if (name.empty()) continue;
    Binding binding;
    binding.value = value;
    binding.query = query;
    binding.type = known;
    binding.sizes = std::move(found);
    ShapeRecorder::take_rank(declared, binding.sizes);
    bind(scope, name, std::move(binding));
  }
}

const Converter::Function* Converter::function_of(const Node& node) const {
  if (functions_.empty()) return nullptr;
  const auto found =
      functions_.find(node.domain() + '\n' + node.op_type() + '\n' + node.overload());
  return found == functions_.end() ? nullptr : found->second;
}

/// The op of an operator with subgraphs comes after what they hold.
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
