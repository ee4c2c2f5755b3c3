#include "connected_graph/shapes/symbolic_shapes.h"
#include "files/json_text.h"
#include "report/graph_writer.h"

#include <model_validator/quantisation.h>

#include <algorithm>
#include <ostream>

namespace model_validator {
namespace {

constexpr const char* schema = "model_validator-graph/1";

Json source_of(const SourceLocation& source) {
  if (!source.known()) return {};
  return {{"file", source.file}, {"line", source.line}, {"column", source.column}};
}

Json class_of(const ConnectedGraph& graph, ModuleId module) {
  return module == none ? Json() : text_or_null(graph.module(module).class_name);
}

Json to_json(const ConnectedGraph& graph, const Op& op) {
  return {{"name", op.name},
          {"type", op.type},
          {"kind", to_string(op.kind)},
          {"module", op.module == none ? Json() : Json(graph.module_path(op.module))},
          {"module_class", class_of(graph, op.module)},
          {"parent", op.parent == none ? Json() : Json(graph.module_path(op.parent))},
          {"parent_class", class_of(graph, op.parent)},
          {"schema", text_or_null(op.schema)},
          {"region", graph.region_labels(op.region)},
          {"source", source_of(graph.location(op.frame))}};
}

/// Numbers that are not finite have no place in JSON: they are null.
Json numbers_of(const QuantisationNumbers& numbers) {
  if (!numbers.given) return {};
  return {{"name", text_or_null(numbers.name)},
          {"dtype", text_or_null(numbers.type.dtype)},
          {"shape", shape_json(numbers.type.shape)},
          {"values", numbers.values ? Json(*numbers.values) : Json()}};
}

Json to_json(const Quantisation& quantisation) {
  return {{"dtype", text_or_null(quantisation.dtype)},
          {"scale", numbers_of(quantisation.scale)},
          {"zero_point", numbers_of(quantisation.zero_point)},
          {"axis", quantisation.axis ? Json(*quantisation.axis) : Json()},
          {"block_size", quantisation.block_size == 0 ? Json() : Json(quantisation.block_size)}};
}

Json to_json(const ConnectedGraph& graph, const ConnectedGraph::Graph::edge_descriptor& edge) {
  const Product& product = graph.graph()[edge];
  Json json;
  json["name"] = product.name;
  json["from"] = graph.op(boost::source(edge, graph.graph())).name;
  json["output"] = product.output;
  json["to"] = graph.op(boost::target(edge, graph.graph())).name;
  json["input"] = product.input;
  json["shape"] = shape_json(product.type.shape);
  if (const auto sizes = size_names(graph, boost::source(edge, graph.graph()), product.output))
    json["sizes"] = *sizes;
  json["dtype"] = text_or_null(product.type.dtype);
  if (product.quantisation) json["quantisation"] = to_json(*product.quantisation);
  return json;
}

Json to_json(const Module& module) {
  return {{"path", module.path},
          {"aliases", module.aliases},
          {"class", module.class_name},
          {"leaf", module.leaf},
          {"calls", module.calls}};
}

/// An input yields its type, an output has the type of what flows into it.
TensorType interface_type(const ConnectedGraph& graph, OpId id) {
  const Op& op = graph.op(id);
  if (!op.outputs.empty()) return op.outputs.front();
  const auto edges = boost::in_edges(id, graph.graph());
  return edges.first == edges.second ? TensorType{} : graph.graph()[*edges.first].type;
}

/// An input or output of the model.
Json interface_of(const ConnectedGraph& graph, OpId id) {
  const TensorType type = interface_type(graph, id);
  Json json;
  json["name"] = graph.op(id).name;
  json["shape"] = shape_json(type.shape);
  if (const auto sizes = port_size_names(graph, id)) json["sizes"] = *sizes;
  json["dtype"] = text_or_null(type.dtype);
  return json;
}

/// A weight that is stored in other numbers than it stands for.
Json quantised_weight(const Parameter& parameter) {
  return {{"name", parameter.path},
          {"shape", shape_json(parameter.type.shape)},
          {"quantisation", to_json(*parameter.quantisation)}};
}

/// An array with one element per line, so that a graph of any size streams.
class ArrayWriter {
public:
  ArrayWriter(std::ostream& out, const char* name) : out_(out) {
    out_ << ",\n  \"" << name << "\": [";
  }
  ArrayWriter(const ArrayWriter&) = delete;
  ArrayWriter& operator=(const ArrayWriter&) = delete;
  ~ArrayWriter() { out_ << (first_ ? "]" : "\n  ]"); }

  void add(const Json& element) {
    out_ << (first_ ? "\n    " : ",\n    ") << json_text(element);
    first_ = false;
  }

private:
  std::ostream& out_;
  bool first_ = true;
};

void write_ops(std::ostream& out, const ConnectedGraph& graph) {
  ArrayWriter ops(out, "ops");
  for (OpId id = 0; id < graph.op_count(); ++id) ops.add(to_json(graph, graph.op(id)));
}

void write_products(std::ostream& out, const ConnectedGraph& graph) {
  ArrayWriter products(out, "products");
  for (const auto edge : boost::make_iterator_range(boost::edges(graph.graph())))
    products.add(to_json(graph, edge));
}

void write_quantised_weights(std::ostream& out, const ConnectedGraph& graph) {
  const auto& parameters = graph.parameters();
  if (std::ranges::none_of(
          parameters, [](const Parameter& parameter) { return parameter.quantisation != nullptr; }))
    return;
  ArrayWriter weights(out, "quantised_weights");
  for (const Parameter& parameter : parameters)
    if (parameter.quantisation) weights.add(quantised_weight(parameter));
}

void write_interface(std::ostream& out, const ConnectedGraph& graph, const char* name,
                     const std::vector<OpId>& ids) {
  ArrayWriter interface(out, name);
  for (const OpId id : ids) interface.add(interface_of(graph, id));
}

void write_modules(std::ostream& out, const ConnectedGraph& graph) {
  ArrayWriter modules(out, "modules");
  for (const Module& module : graph.modules()) modules.add(to_json(module));
}

Json to_json(const ConnectedGraph& graph, const Trace& trace) {
  return {{"samples", trace.samples},
          {"complete", trace.ended_by.empty()},
          {"ended_by", text_or_null(trace.ended_by)},
          {"ended_at", trace.ended_at == none ? Json() : Json(graph.op(trace.ended_at).name)}};
}

/// An arm or loop, and what became of it.
Json region_of(const ConnectedGraph& graph, RegionId id, const Trace& trace) {
  const Region& region = graph.regions()[id];
  const auto& outcome = trace.outcomes.at(id);
  Json json;
  json["label"] = region.label();
  json["region"] = graph.region_labels(region.parent);
  json["op"] = region.op == none ? Json() : Json(graph.op(region.op).name);
  json["reached"] = outcome ? Json(outcome->reached) : Json();
  json["runs"] = outcome ? Json(outcome->runs) : Json();
  if (region.kind == Region::Kind::loop_body)
    json["rounds"] =
        outcome && outcome->reached > 0 ? Json{outcome->fewest, outcome->most} : Json();
  return json;
}

void write_regions(std::ostream& out, const ConnectedGraph& graph, const Trace& trace) {
  ArrayWriter regions(out, "regions");
  for (RegionId id = 0; id < graph.regions().size(); ++id) regions.add(region_of(graph, id, trace));
}

/// Ops that did not run exactly once per sample.
void write_runs(std::ostream& out, const ConnectedGraph& graph, const Trace& trace) {
  const std::size_t begun = trace.samples + (trace.ended_by.empty() ? 0 : 1);
  ArrayWriter runs(out, "runs");
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (trace.runs.at(id) && *trace.runs[id] != begun)
      runs.add({{"op", graph.op(id).name}, {"runs", *trace.runs[id]}});
}

/// Outputs that had several shapes.
void write_ranges(std::ostream& out, const ConnectedGraph& graph, const Trace& trace) {
  ArrayWriter ranges(out, "ranges");
  for (const auto& [place, sizes] : trace.ranges)
    ranges.add({{"op", graph.op(place.first).name}, {"output", place.second}, {"sizes", sizes}});
}

void write_trace(std::ostream& out, const ConnectedGraph& graph, const Trace& trace) {
  out << ",\n  \"trace\": " << json_text(to_json(graph, trace));
  write_regions(out, graph, trace);
  write_runs(out, graph, trace);
  write_ranges(out, graph, trace);
}

} // namespace

void write_graph_json(std::ostream& out, const ConnectedGraph& graph, const Trace* trace) {
  out << "{\n  \"schema\": " << json_text(schema)
      << ",\n  \"path\": " << json_text(graph.origin.path)
      << ",\n  \"format\": " << json_text(to_string(graph.origin.format));
  write_ops(out, graph);
  write_products(out, graph);
  write_interface(out, graph, "inputs", graph.inputs());
  write_interface(out, graph, "outputs", graph.outputs());
  write_modules(out, graph);
  write_quantised_weights(out, graph);
  if (trace != nullptr) write_trace(out, graph, *trace);
  out << "\n}\n";
}

} // namespace model_validator
