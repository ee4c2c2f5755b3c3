#include "connected_graph/onnx/body_forms.h"
#include "connected_graph/onnx/converter.h"
#include "connected_graph/onnx/names_read.h"
#include "connected_graph/onnx/node_cost.h"
#include "connected_graph/onnx/sequence_elements.h"
#include "connected_graph/onnx/subgraph_results.h"

// Nodes that represent several nodes: calls of model-local functions, and operators with subgraphs.

namespace model_validator::onnx_format {
namespace {

constexpr int max_nesting_depth = 64;

class DepthGuard {
public:
  explicit DepthGuard(int& depth) : depth_(depth) { ++depth_; }
  ~DepthGuard() { --depth_; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;

private:
  int& depth_;
};

const ::onnx::GraphProto* branch(const ::onnx::NodeProto& node, const std::string& name) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name && attribute.has_g()) return &attribute.g();
  return nullptr;
}

/// Whether the body of a node runs at least once.
bool runs_surely(const ::onnx::NodeProto& node, const std::vector<const Binding*>& inputs) {
  if (node.op_type() == "Scan") return true;
  if (node.op_type() != "Loop" || inputs.size() < 2) return false;
  const auto is_stored = [](const Binding* input) {
    return input == nullptr || input->number().value_or(0) > 0;
  };
  return is_stored(inputs[0]) && is_stored(inputs[1]);
}

/// Whether the values that the model is given choose among bodies, not sizes or what is stored.
bool data_decides(const std::vector<const Binding*>& inputs) {
  const Binding* condition = inputs.empty() ? nullptr : inputs[0];
  return condition != nullptr && !condition->stored() && !condition->query &&
         !condition->worked_out && !condition->absent;
}

} // namespace

void Converter::convert_call(const Node& node, const Function& function, Scope& scope,
                             const Place& place) {
  const DepthGuard guard(depth_);
  if (depth_ > max_nesting_depth)
    reader_.fail("function `" + function.name() + "` calls itself, or calls are nested too deeply");
  if (node.input_size() > function.input_size())
    reader_.fail("function `" + function.name() + "` is called with too many inputs");
  reader_.spend(declaration_cost(function));
  const Place inside = places_.place_inside(function, node, place, source_.model.producer_name());
  Scope body(nullptr);
  bind_call_inputs(node, function, scope, body);
  for (const auto& value : function.value_info())
    body.declare(value.name(), tensor_type(value.type()), declared_type(value.type()));
  convert_nodes(function.node(), body, inside);
  bind_call_outputs(node, function, body, scope);
}

void Converter::bind_call_inputs(const Node& node, const Function& function, const Scope& outer,
                                 Scope& inner) {
  for (int i = 0; i < function.input_size(); ++i) {
    const bool given = i < node.input_size() && !node.input(i).empty();
    bind(inner, function.input(i),
         given ? reader_.input(node, node.input(i), outer) : Binding{.absent = true});
  }
}

void Converter::bind_call_outputs(const Node& node, const Function& function, const Scope& inner,
                                  Scope& outer) {
  for (int i = 0; i < node.output_size() && i < function.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    const Binding* result = inner.find(function.output(i));
    if (result == nullptr)
      reader_.fail("output `" + function.output(i) + "` of function `" + function.name() +
                   "` is made by no node");
    Binding returned = *result;
    if (const KnownType declared = outer.declared(node.output(i));
        returned.value != none && declared.differs_from(returned.type))
      assembler_.value(returned.value).other_type = declared.in_words();
    bind(outer, node.output(i), std::move(returned));
  }
}

void Converter::compare_condition(const Node& loop, const ::onnx::ValueInfoProto& condition,
                                  const Scope& outer, const Scope& inner) {
  if (loop.input_size() < 2 || loop.input(1).empty()) return;
  const auto given = reader_.input(loop, loop.input(1), outer).sizes.shape;
  const TensorType declared = inner.tensor_declared(condition.name());
  if (given && declared.shape && given->size() != declared.shape->size())
    forms_.add("loop-condition-rank",
               spoken(loop) + " is given a condition of " +
                   counted(static_cast<std::int64_t>(given->size()), "dimension") +
                   ", and its body declares " + std::to_string(declared.shape->size()));
}

/// A `Loop` may change what it carries: of an input only the dtype still applies inside, and that
/// its rank is not known; its sizes are as declared. A `Scan` changes none, before opset 9 of
/// batches.
void Converter::declare_body_input(const Node& node, const Graph& graph, const ScanAxes& scan,
                                   int input, const TensorType& declared, Binding& binding) {
  const std::string& name = graph.input(input).name();
  const KnownType type = declared_type(graph.input(input).type());
  const auto given = binding.sizes.shape;
  binding.sizes = {.open = binding.sizes.open && !declared.shape};
  if (given && node.op_type() == "Scan" && node.input_size() == graph.input_size())
    binding.sizes.shape =
        scan.handed(node, static_cast<std::size_t>(input), *given, declared, forms_);
  else
    ShapeRecorder::take_rank(declared, binding.sizes);
  ShapeRecorder::take_sizes(declared, binding.sizes);
  if (binding.sizes.shape) binding.sizes.source = shapes::Source::input;
  binding.sizes.name = &name;
  if (!fit_at_border(type, binding.type))
    forms_.add((node.op_type() != "Scan"                         ? "loop-given"
                : input >= static_cast<int>(scan.first_sliced()) ? "scan-slice"
                                                                 : "scan-given") +
                   kind_of_types(type, binding.type),
               spoken(node) + " is given " + binding.type.in_words() + " for the input `" + name +
                   "` of its body, which is " + type.in_words(),
               none);
  if (!type.dtype.empty()) binding.type = type;
}

/// A loop body sees loop-carried values with their types before the loop, and runs while its
/// condition holds.
void Converter::bind_body_inputs(const Node& node, const Graph& graph, const Scope& outer,
                                 Scope& inner) {
  const ScanAxes scan(node);
  // `Loop` begins with trip count and condition, its body with iteration number and condition.
  for (int i = 0; i < graph.input_size(); ++i) {
    Binding binding;
    const bool counter = node.op_type() == "Loop" && i < 2;
    if (counter && i == 1) compare_condition(node, graph.input(i), outer, inner);
    if (!counter && i < node.input_size() && !node.input(i).empty())
      binding = reader_.input(node, node.input(i), outer);
    if (node.op_type() == "SequenceMap") binding.type = held_by(binding.type);
    binding.query = binding.counted = counter;
    binding.tensor = nullptr; // it is only the first value of several
    binding.passed_on = binding.worked_out = false;
    if (binding.elements == Elements::shown) binding.elements = Elements::appended;
    const TensorType declared = inner.tensor_declared(graph.input(i).name());
    declare_body_input(node, graph, scan, i, declared, binding);
    if (counter && i == 1) binding.sizes.elements = shapes::shared({shapes::Size::of(1)});
    binding.value = body_input(graph.input(i).name(), binding, counter, declared);
    bind(inner, graph.input(i).name(), std::move(binding));
  }
}

/// A stored start value is what the body reads as far as the graph shows.
ValueId Converter::body_input(const std::string& name, const Binding& binding, bool counter,
                              const TensorType& declared) {
  ProgramValue value{.name = name,
                     .type = {declared.shape, binding.type.dtype},
                     .kind = binding.type.kind,
                     .origin = Origin::body,
                     .unranked = binding.sizes.open};
  value.elements = binding.elements;
  value.number = binding.number();
  const ProgramValue* start = assembler_.program().find(binding.value);
  value.held = counter || (start != nullptr && start->held);
  if (value.held) value.origin = counter ? Origin::worked_out : Origin::stored;
  if (value.held && !counter)
    value.parameter = start->parameter;
  else if (!counter)
    value.begins_as = binding.value;
  return assembler_.add_value(std::move(value));
}

std::vector<Binding> Converter::convert_subgraph(const Node& node, const Graph& graph,
                                                 const Scope& scope, const Place& place,
                                                 bool is_arm) {
  const DepthGuard guard(depth_);
  if (depth_ > max_nesting_depth) reader_.fail("its subgraphs are nested too deeply");
  reader_.spend(declaration_cost(graph));
  Scope inner(&scope);
  declare_types(graph, inner);
  note_declared(graph);
  bind_initializers(graph, inner);
  if (!is_arm) bind_body_inputs(node, graph, scope, inner);
  convert_nodes(graph.node(), inner, place);
  add_forms(graph, inner);
  std::vector<Binding> results;
  for (const auto& output : graph.output())
    results.push_back(reader_.input(node, output.name(), inner));
  return results;
}

void Converter::convert_region(const Node& node, const Graph& graph, Region::Kind kind,
                               std::size_t number, Scope& scope, const Place& place,
                               ProgramNode& flat, SubgraphValues& values) {
  Place inside = place;
  inside.operation.clear();
  inside.schema.clear();
  inside.region = graph_.add_region({kind, number, place.region, none});
  const std::vector<const Binding*> operands = reader_.inputs_of(node, scope);
  const bool runs = runs_surely(node, operands);
  inside.surely = place.surely && runs;
  inside.by_data = place.by_data && (runs || data_decides(operands));
  flat.owned_regions.push_back(inside.region);
  const bool is_arm = kind != Region::Kind::loop_body;
  values.results.push_back(convert_subgraph(node, graph, scope, inside, is_arm));
  for (const Binding& result : values.results.back()) flat.inputs.push_back(result.value);
  flat.results_of_bodies += values.results.back().size();
}

void Converter::convert_regions(const Node& node, Scope& scope, const Place& place,
                                ProgramNode& flat, SubgraphValues& values) {
  const std::size_t number = regions_++;
  const Graph* then_branch = branch(node, "then_branch");
  const Graph* else_branch = branch(node, "else_branch");
  const auto convert = [&](const Graph& graph, Region::Kind kind) {
    convert_region(node, graph, kind, number, scope, place, flat, values);
  };
  if (then_branch != nullptr && else_branch != nullptr) {
    convert(*then_branch, Region::Kind::then_arm);
    convert(*else_branch, Region::Kind::else_arm);
  } else {
    for (const Graph* graph : graphs_of(node)) convert(*graph, Region::Kind::loop_body);
  }
}

void Converter::bind_results_of_regions(const Node& node, Scope& scope, const Place& place,
                                        bool query, const SubgraphValues& values,
                                        ProgramNode& flat) {
  std::vector<KnownType> types = reader_.types_declared(node, scope);
  std::vector<shapes::Value> sizes;
  for (SubgraphResult& result : subgraph_results(node, values)) {
    const std::size_t output = sizes.size();
    types[output].yield(result.type);
    result.sizes.source = shapes::Source::node;
    result.sizes.node = assembler_.nodes().size();
    result.sizes.name = &node.output(static_cast<int>(output));
    sizes.push_back(std::move(result.sizes));
  }
  bind_outputs(node, scope, place, flat, query, types, std::move(sizes));
  for (int i = 0; i < node.output_size(); ++i)
    if (!node.output(i).empty()) {
      Binding& output = scope.at(node.output(i));
      output.elements = elements_carried(node, values, static_cast<std::size_t>(i));
      assembler_.value(output.value).elements = output.elements;
    }
}

void Converter::convert_with_subgraphs(const Node& node, Scope& scope, const Place& place) {
  ProgramNode flat = node_of(node, place);
  flat.origin.clear();
  flat.origin_schema.clear();
  flat.origin_type.clear();
  flat.kind = OpKind::control_flow;
  bool query = false;
  SubgraphValues values;
  add_inputs(node, scope, flat, query);
  convert_regions(node, scope, place, flat, values);
  add_attributes(node, place, flat);
  values.inputs = reader_.inputs_of(node, scope);
  values.sizes_are_open = sizes_are_open_;
  add_border_forms(node, reader_.opset_of(node, place), values, assembler_.nodes().size(), forms_);
  bind_results_of_regions(node, scope, place, query, values, flat);
  assembler_.add(std::move(flat));
}

} // namespace model_validator::onnx_format
