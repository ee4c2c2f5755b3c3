#include "connected_graph/attributes.h"
#include "connected_graph/canonical_type.h"
#include "connected_graph/magnitudes.h"
#include "introspection/activation_memory.h"
#include "introspection/digest.h"
#include "introspection/given_sizes.h"
#include "introspection/ir_text.h"
#include "introspection/multiply_accumulates.h"
#include "introspection/packed_weights.h"
#include "introspection/structure.h"
#include "introspection/weight_ledger.h"
#include "introspection/weight_samples.h"
#include "introspection/weight_store.h"
#include "libraries/verify_library.h"
#include "text/escape.h"
#include "text/numbers.h"

#include <model_validator/error.h>
#include <model_validator/model.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace model_validator {
namespace {

using OptionalShape = std::optional<std::vector<std::int64_t>>;

/// A name is no reason for another line: one op, one line.
std::string lines(const ConnectedGraph& graph, IrStyle style) {
  std::string text;
  for (const std::string& line : ir_lines(graph, style)) text += escape(line) + "\n";
  return text;
}

std::string port_name(const Op& op) {
  const auto* name = find_attribute<std::string>(op.attributes, "name");
  return name != nullptr && !name->empty() ? *name : op.name;
}

/// An output has the type of what flows into it.
TensorType port_type(const ConnectedGraph& graph, OpId id) {
  if (!graph.op(id).outputs.empty()) return graph.op(id).outputs.front();
  const auto [begin, end] = boost::in_edges(id, graph.graph());
  return begin == end ? TensorType{} : graph.graph()[*begin].type;
}

std::vector<Port> ports(const ConnectedGraph& graph, const std::vector<OpId>& ids) {
  std::vector<Port> all;
  for (const OpId id : ids) all.push_back({port_name(graph.op(id)), port_type(graph, id)});
  return all;
}

template <class Get> auto each(const std::vector<Port>& ports, Get get) {
  std::vector<decltype(get(ports.front()))> all;
  std::transform(ports.begin(), ports.end(), std::back_inserter(all), get);
  return all;
}

TensorTotals totals(const ConnectedGraph& graph, bool buffers) {
  TensorTotals all;
  std::set<std::uint64_t> seen;
  const PackedWeights packed = find_packed_weights(graph);
  for (ParameterId id = 0; id < graph.parameters().size(); ++id) {
    const Parameter& parameter = graph.parameters()[id];
    const auto weight = packed.weights.find(id);
    const bool is_packed = weight != packed.weights.end();
    const bool counts_as_buffer = !is_packed && (parameter.buffer || packed.scales.count(id) != 0);
    if (counts_as_buffer != buffers) continue;
    if (parameter.storage != 0 && !seen.insert(parameter.storage).second) continue;
    ++all.tensors;
    all.elements += is_packed ? weight->second.elements : stored_elements(parameter.type);
    all.bytes += parameter.bytes;
  }
  return all;
}

bool is_operator(OpKind kind) {
  return kind != OpKind::input && kind != OpKind::output && kind != OpKind::constant;
}

/// Visits every operator of the file, including those that a module or function consists of.
template <class Visit> void for_each_operator(const ConnectedGraph& graph, Visit visit) {
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    if (!is_operator(op.kind)) continue;
    if (op.body)
      for (const Operator& part : *op.body) visit(part.schema, part.attributes);
    else
      visit(op.schema.empty() ? op.type : op.schema, op.attributes);
  }
}

ReadOptions with_identity(ReadOptions options) {
  options.identity = true;
  return options;
}

/// `up to 12, mean 0.013`, and what no element is beyond.
std::string to_text(const Magnitude& magnitude) {
  std::string text =
      "up to " + rough_number(magnitude.peak) + ", mean " + rough_number(magnitude.mean);
  const bool is_bounded = std::isfinite(magnitude.low) && std::isfinite(magnitude.high);
  if (is_bounded && magnitude.low < magnitude.high)
    text += ", within " + rough_number(magnitude.low) + " … " + rough_number(magnitude.high);
  return text;
}

} // namespace

Model::Model(const std::filesystem::path& file, const ReadOptions& options)
    : file_(file), options_(options), graph_(read_graph(file, with_identity(options))) {}

Model::Model(const std::filesystem::path& file, const TraceOptions& trace,
             const ReadOptions& options)
    : file_(file), options_(options) {
  TracedGraph traced = trace_graph(file, trace, with_identity(options));
  graph_ = std::move(traced.graph);
  trace_ = std::move(traced.trace);
}

Model::Model(std::filesystem::path file, ConnectedGraph graph, std::optional<Trace> trace,
             ReadOptions options)
    : file_(std::move(file)), options_(std::move(options)), graph_(std::move(graph)),
      trace_(std::move(trace)) {}

std::map<std::string, std::size_t> Model::operators() const {
  std::map<std::string, std::size_t> counts;
  for_each_operator(graph_, [&](const std::string& schema, const auto& attributes) {
    ++counts[canonical_type(schema, attributes)];
  });
  return counts;
}

std::map<std::string, std::size_t> Model::schemas() const {
  std::map<std::string, std::size_t> counts;
  for_each_operator(graph_, [&](const std::string& schema, const auto&) { ++counts[schema]; });
  return counts;
}

std::vector<Port> Model::inputs() const { return ports(graph_, graph_.inputs()); }
std::vector<Port> Model::outputs() const { return ports(graph_, graph_.outputs()); }

std::vector<std::string> Model::input_names() const {
  return each(inputs(), [](const Port& port) { return port.name; });
}
std::vector<std::string> Model::output_names() const {
  return each(outputs(), [](const Port& port) { return port.name; });
}
std::vector<OptionalShape> Model::input_shapes() const {
  return each(inputs(), [](const Port& port) { return port.type.shape; });
}
std::vector<OptionalShape> Model::output_shapes() const {
  return each(outputs(), [](const Port& port) { return port.type.shape; });
}
std::vector<std::string> Model::input_dtypes() const {
  return each(inputs(), [](const Port& port) { return port.type.dtype; });
}
std::vector<std::string> Model::output_dtypes() const {
  return each(outputs(), [](const Port& port) { return port.type.dtype; });
}

void Model::give_sizes(const std::vector<std::string>& sizes) {
  model_validator::give_sizes(graph_, sizes);
}

TensorTotals Model::parameters() const { return totals(graph_, false); }
TensorTotals Model::buffers() const { return totals(graph_, true); }

MultiplyAccumulates Model::multiply_accumulates() const {
  return count_multiply_accumulates(graph_, trace_ ? &*trace_ : nullptr);
}

ActivationMemory Model::activation_memory() const { return find_activation_memory(graph_); }

std::string Model::ir() const { return lines(graph_, IrStyle::plain); }
std::string Model::typed_ir() const { return lines(graph_, IrStyle::typed); }

std::string Model::ranges() const {
  const auto found = magnitudes_of(graph_, sampler_of(graph_, file_)).ops;
  std::string text;
  const std::vector<std::string> ops = ir_lines(graph_, IrStyle::bare);
  for (OpId id = 0; id < ops.size(); ++id)
    text += ops[id] + (found[id] ? " : " + to_text(*found[id]) : "") + "\n";
  return text;
}

std::string Model::structural_hash() const { return hash_structure(graph_); }

std::string Model::fingerprint() const {
  Digest digest;
  digest.add(structural_hash());
  const std::vector<StoredWeights> weights = list_weights(file_);
  for (const std::string& tensor : hash_weights(weights)) digest.add(tensor);
  for (const std::string& place : places_of_weights(file_, weights)) digest.add(place + "\n");
  return digest.text();
}

WeightLedger Model::ledger() const {
  if (graph_.origin.format != FileFormat::onnx) return {};
  return ledger_of(list_weights(file_), file_);
}

verify::InferenceFunction Model::get_inference_function() const {
  return verify_library(file_).make_inference_function(file_, options_);
}

} // namespace model_validator
