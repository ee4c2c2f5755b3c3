#include "connected_graph/exported_program/converter.h"

#include "connected_graph/exported_program/quantised_values.h"
#include "connected_graph/exported_program/unpickled.h"
#include "connected_graph/op_type.h"
#include "connected_graph/quantised_role.h"
#include "connected_graph/query_ops.h"
#include "connected_graph/undecomposed_type.h"

#include <model_validator/error.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace model_validator::exported_program {
namespace {

/// torch looks any name that begins with `torch` up from its own module:
/// `torch_.ops.aten.relu.default` is `relu`, too. Its exporter writes operators beneath
/// `torch.ops`, and a few functions on sizes and modes.
bool is_spelled_as_exported(std::string_view target) {
  constexpr auto starts = std::to_array<std::string_view>(
      {"torch.ops.", "torch.sym_", "torch._sym_", "torch._C._set_grad_enabled", "torch._functorch.",
       "torch.amp.autocast_mode._"});
  const auto begins = [target](std::string_view start) { return target.starts_with(start); };
  return !target.starts_with("torch") || std::any_of(starts.begin(), starts.end(), begins);
}

std::string limit(const Json& range, const char* name) {
  const auto found = range.find(name);
  return found == range.end() || !found->is_number_integer()
             ? ""
             : std::to_string(found->get<std::int64_t>());
}

/// The range of each symbolic size of an input.
/// @param constraints  those of the program
std::vector<Attribute> ranges_of(const Json& sizes, const Json& constraints) {
  std::vector<Attribute> ranges;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!sizes[i].contains("as_expr")) continue;
    const auto range = constraints.find(symbol_in(sizes[i]["as_expr"].at("expr_str")));
    if (range != constraints.end())
      ranges.push_back({"range_" + std::to_string(i),
                        limit(*range, "min_val") + ".." + limit(*range, "max_val")});
  }
  return ranges;
}

/// What a graph says of a tensor; null where it says nothing.
const Json* meta_of(const std::string& name, const Json& graph) {
  const Json& values = graph.at("tensor_values");
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &*found;
}

/// The name of the value that an argument is; of a constant, what it is.
std::string value_of_argument(const Json& argument) {
  for (const auto& [kind, content] : argument.items())
    if (content.is_object() && content.contains("name") && content["name"].is_string())
      return content["name"].get<std::string>();
  return argument.dump();
}

/// The same of a specification in a signature.
std::string value_of_specification(const Json& specification) {
  for (const auto& [kind, content] : specification.items()) {
    if (kind == "constant_input") return content.at("value").dump();
    const Json& argument = content.at("arg");
    return argument.contains("name") ? value_of_argument({{"", argument}})
                                     : value_of_argument(argument);
  }
  return {};
}

bool is_in_graph(const Argument& argument) {
  return argument.value || argument.graph != nullptr || !argument.tensors.empty() ||
         !argument.symbols.empty();
}

} // namespace

Converter::Converter(const ProgramFile& source, const ReadOptions& options)
    : source_(source), assembler_(graph_, source.file.path().string(), options.max_ops),
      hierarchy_(graph_), frames_(graph_), statements_(options.identity) {}

void Converter::fail(const std::string& what) const {
  throw Error(ErrorKind::damaged_exported_program, source_.file.path().string(), what,
              "export the model again");
}

GraphBuilder Converter::convert(NodeResults* results) {
  notes_nodes_ = results != nullptr;
  const Json& graph = source_.program.at("graph_module").at("graph");
  read_header();
  read_modules();
  Scope scope;
  read_inputs(graph, scope);
  convert_nodes(graph, scope, {});
  read_outputs(graph, scope);
  require_graph_of_signature(source_.program.at("graph_module"));
  graph_.origin.statements = std::move(statements_).of(source_, input_sizes_);
  read_declared_writes(graph, scope);
  read_writes_of_nodes();
  // Tied embeddings need not be one module.
  for (OwnedTensor& tensor : owned_)
    tensor.conclusive &= !graph_.module(tensor.module).class_name.ends_with(".Embedding");
  assembler_.rename_modules(merge_aliases(graph_, owned_));
  hierarchy_.classify();
  assembler_.add_silent_calls();
  std::uint64_t bytes_left = std::uint64_t{64} << 20; // of scales and zero points
  mark_quantised_values(assembler_, graph_, [&](const Parameter& parameter) {
    return source_.numbers_of(parameter.path, bytes_left);
  });
  assembler_.finish();
  if (results != nullptr) *results = results_of_nodes();
  graph_.shapes = sizes_.finish(assembler_, graph_);
  graph_.program = assembler_.take_program();
  const Json constraints = source_.program.value("range_constraints", Json::object());
  for (std::size_t i = 0; i < input_sizes_.size(); ++i)
    graph_.op(graph_.inputs()[i]).attributes = ranges_of(input_sizes_[i], constraints);
  return std::move(graph_);
}

TensorType Converter::type_of(const Json& meta) {
  statements_.note_type(meta);
  return tensor_type(meta);
}

ValueId Converter::add_value(const std::string& name, const Json& graph) {
  const Json* meta = meta_of(name, graph);
  if (meta == nullptr) return assembler_.add_value(name, {});
  const ValueId value = assembler_.add_value(name, type_of(*meta));
  sizes_.note(value, name, *meta);
  return value;
}

void Converter::read_header() {
  graph_.origin.path = source_.file.path().string();
  graph_.origin.format = FileFormat::exported_program;
  graph_.origin.file_bytes = source_.file.size();
  graph_.origin.traced = true;
  const std::string version = source_.program.value("torch_version", "");
  graph_.origin.producer = version.empty() ? "pytorch" : "pytorch " + version;
  graph_.origin.unpickled = unpickled_when_loaded(source_);
}

void Converter::read_modules() {
  hierarchy_.at("");
  const Json& program = source_.program.at("graph_module");
  if (const auto calls = program.find("module_call_graph"); calls != program.end())
    for (const Json& call : *calls) {
      // The path of a second call ends in its number.
      const std::string path = call.at("fqn").get<std::string>();
      module_at(path.substr(0, path.find('@')));
    }
}

/// The graph lists its inputs and outputs, and the signature lists them again; torch reads both.
void Converter::require_graph_of_signature(const Json& program) const {
  for (const char* side : {"input", "output"}) {
    std::vector<std::string> listed, signed_for;
    for (const Json& argument : program.at("graph").at(std::string(side) + "s"))
      listed.push_back(value_of_argument(argument));
    for (const Json& each : program.at("signature").at(std::string(side) + "_specs"))
      signed_for.push_back(value_of_specification(each));
    if (listed != signed_for)
      fail("the " + std::string(side) + "s of the graph are not those of its signature");
  }
}

void Converter::read_inputs(const Json& graph, Scope& scope) {
  const std::set<std::string> written = names_written(graph);
  for (const Json& spec : source_.program.at("graph_module").at("signature").at("input_specs"))
    for (const auto& [kind, content] : spec.items()) {
      if (kind == "user_input") add_user_input(content.at("arg"), graph, scope);
      if (kind == "parameter" || kind == "buffer") add_tensor(kind, content, graph, scope);
      if (kind == "tensor_constant") {
        // What is written into keeps state, whatever the file calls it.
        if (const std::string name = content.at("arg").at("name"); written.contains(name))
          add_tensor(kind, content, graph, scope);
        else
          add_constant(name, graph, scope);
      }
      if (kind == "custom_obj" || kind == "token") scope[content.at("arg").at("name")] = none;
    }
}

void Converter::add_user_input(const Json& argument, const Json& graph, Scope& scope) {
  const Argument input = take_apart(argument);
  for (const std::string& name : input.tensors) {
    const ValueId value = add_value(name, graph);
    assembler_.add_input(value);
    input_sizes_.push_back(graph.at("tensor_values").at(name).at("sizes"));
    scope[name] = value;
  }
  for (const std::string& name : input.symbols) {
    const ValueId value = assembler_.add_value(name, {std::vector<std::int64_t>{}, "int64"});
    assembler_.add_input(value);
    input_sizes_.push_back(Json::array());
    scope[name] = value;
  }
}

void Converter::add_tensor(const std::string& kind, const Json& spec, const Json& graph,
                           Scope& scope) {
  const std::string name = spec.at("arg").at("name");
  Parameter parameter;
  parameter.path = spec.at(kind + "_name").get<std::string>();
  parameter.name = parameter.path.substr(parameter.path.rfind('.') + 1);
  if (const Json* meta = meta_of(name, graph)) parameter.type = type_of(*meta);
  parameter.bytes = byte_count(parameter.type);
  parameter.storage = storage_of(parameter.path, false);
  parameter.buffer = kind != "parameter";
  const ModuleId owner = module_at(parent_path(parameter.path));
  const bool empty = parameter.bytes == 0; // as others are
  owned_.push_back({owner, parameter.name, storage_of(parameter.path, true), !empty});
  ProgramValue value{
      .name = parameter.path, .type = parameter.type, .origin = Origin::stored, .held = true};
  value.parameter = graph_.add_parameter(std::move(parameter));
  graph_.modules()[owner].parameters.push_back(value.parameter);
  scope[name] = assembler_.add_value(std::move(value));
}

std::uint64_t Converter::storage_of(const std::string& tensor, bool with_offset) {
  const auto found = source_.tensors.find(tensor);
  std::string key = found == source_.tensors.end() ? "tensor " + tensor : found->second.entry;
  if (with_offset && found != source_.tensors.end())
    key += ":" + std::to_string(found->second.offset);
  return storages_.try_emplace(std::move(key), storages_.size() + 1).first->second;
}

void Converter::add_constant(const std::string& name, const Json& graph, Scope& scope) {
  ProgramNode constant;
  constant.schema = "prim::Constant";
  constant.type = "constant";
  constant.kind = OpKind::constant;
  bind_output(name, add_value(name, graph), scope, constant);
  assembler_.add(std::move(constant));
}

void Converter::read_outputs(const Json& graph, const Scope& scope) {
  for (const Json& spec : source_.program.at("graph_module").at("signature").at("output_specs")) {
    const auto output = spec.find("user_output");
    if (output == spec.end()) continue; // a value that the program writes to a buffer
    const Argument result = take_apart(output->at("arg"));
    for (const auto* names : {&result.tensors, &result.symbols})
      for (const std::string& name : *names) assembler_.add_output(name, find(graph, name, scope));
    if (result.tensors.empty() && result.symbols.empty()) assembler_.add_output("", none);
  }
}

void Converter::convert_nodes(const Json& graph, Scope& scope, const Place& around) {
  statements_.note_results(graph);
  for (const Json& node : graph.at("nodes")) convert_node(node, graph, scope, around);
}

void Converter::convert_node(const Json& node, const Json& graph, Scope& scope,
                             const Place& around) {
  const Place place = place_of(node, around);
  const std::string target = node.at("target").get<std::string>();
  require_distinct_arguments(node);
  if (!is_spelled_as_exported(target)) fail("`" + target + "` is not how torch names an operator");
  ProgramNode flat;
  flat.schema = schema_of_target(target);
  flat.role = quantised_role(flat.schema);
  flat.type = undecomposed_type(flat.schema);
  flat.stack = place.stack;
  flat.frame = place.frame;
  flat.region = place.region;
  if (convert_subgraphs(node, graph, scope, place, flat)) return;
  add_arguments(node, scope, flat);
  const bool has_tensors = bind_outputs(node, graph, scope, flat);
  if (!flat.outputs.empty()) flat.name = assembler_.value(flat.outputs[0]).name;
  const bool query = !has_tensors || is_query_type(flat.type);
  if (query && flat.kind == OpKind::functional) flat.kind = OpKind::query;
  enter(node, std::move(flat));
}

void Converter::require_distinct_arguments(const Json& node) const {
  std::set<std::string_view> names;
  for (const Json& input : node.at("inputs"))
    if (const auto& name = input.at("name").get_ref<const std::string&>();
        !name.empty() && !names.insert(name).second)
      fail("argument `" + name + "` of `" + node.at("target").get<std::string>() +
           "` is given twice");
}

void Converter::enter(const Json& node, ProgramNode flat) {
  if (notes_nodes_) entered_.emplace(&node, assembler_.nodes().size());
  assembler_.add(std::move(flat));
}

NodeResults Converter::results_of_nodes() const {
  NodeResults results;
  for (const auto& [node, flat] : entered_)
    for (const ValueId value : assembler_.nodes()[flat].outputs)
      results[node].push_back(assembler_.producer_of(value));
  return results;
}

/// Nodes that the exporter added have no stack: they take the place of the node before them.
Converter::Place Converter::place_of(const Json& node, const Place& around) {
  const Json& metadata = node.at("metadata");
  Place place = around;
  const auto stack = parse_module_stack(metadata.value("nn_module_stack", ""));
  if (stack.size() > max_module_depth) fail("its modules are nested too deeply");
  if (!stack.empty()) {
    place.stack.clear();
    for (const StackEntry& entry : stack)
      place.stack.push_back(
          {module_at(entry.path, entry.class_name), call_number(entry.key + entry.path)});
    last_stack_ = place.stack;
  } else if (around.stack.empty()) {
    place.stack = last_stack_;
  }
  const auto trace = parse_python_trace(metadata.value("stack_trace", ""));
  if (!trace.empty()) place.frame = frames_.innermost(trace, place.stack);
  return place;
}

ModuleId Converter::module_at(std::string_view path, std::string_view class_name) {
  if (is_nested_too_deeply(path)) fail("its modules are nested too deeply");
  return hierarchy_.at(path, class_name);
}

std::size_t Converter::call_number(const std::string& key) {
  return calls_.try_emplace(key, calls_.size()).first->second;
}

ValueId Converter::find(const Json& node, const std::string& name, const Scope& scope) const {
  const auto found = scope.find(name);
  if (found != scope.end()) return found->second;
  const auto own = node.find("name");
  const std::string reader = own != node.end() && own->is_string()
                                 ? "node `" + own->get<std::string>() + "`"
                                 : "the graph";
  fail(reader + " reads `" + name + "`, which nothing before it produces");
}

void Converter::add_arguments(const Json& node, const Scope& scope, ProgramNode& to) {
  std::vector<ValueId> symbols;
  for (const Json& input : node.at("inputs")) {
    const Argument argument = take_apart(input.at("arg"));
    // Of a device, the graph has its kind but no number.
    statements_.note_argument(input,
                              is_in_graph(argument) && !input.at("arg").contains("as_device"));
    for (const std::string& name : argument.tensors) {
      to.inputs.push_back(name.empty() ? none : find(node, name, scope));
      if (const auto id = assembler_.program().parameter_of(to.inputs.back()); id != none)
        statements_.note_parameter(to.inputs.size(), id);
    }
    for (const std::string& name : argument.symbols) symbols.push_back(find(node, name, scope));
    if (argument.value) to.attributes.push_back({input.value("name", ""), *argument.value});
  }
  to.inputs.insert(to.inputs.end(), symbols.begin(), symbols.end());
}

void Converter::bind_output(const std::string& name, ValueId value, Scope& scope, ProgramNode& to) {
  to.outputs.push_back(value);
  if (!name.empty() && !scope.insert_or_assign(name, value).second)
    fail("value `" + name + "` is defined twice");
}

bool Converter::bind_outputs(const Json& node, const Json& graph, Scope& scope, ProgramNode& to) {
  bool has_tensors = false;
  for (const Json& output : node.at("outputs")) {
    const Argument result = take_apart(output);
    for (const std::string& name : result.tensors) {
      bind_output(name, add_value(name, graph), scope, to);
      has_tensors = true;
    }
    for (const std::string& name : result.symbols)
      bind_output(name, assembler_.add_value(name, {std::vector<std::int64_t>{}, "int64"}), scope,
                  to);
  }
  return has_tensors;
}

} // namespace model_validator::exported_program
