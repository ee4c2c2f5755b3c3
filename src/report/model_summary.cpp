#include "report/model_summary.h"

#include "connected_graph/shapes/symbolic_shapes.h"
#include "files/json_text.h"
#include "introspection/cache_bytes.h"
#include "introspection/ir_text.h"
#include "introspection/packed_weights.h"
#include "introspection/tied_embeddings.h"
#include "text/escape.h"
#include "text/grouped_names.h"
#include "text/lists.h"
#include "text/plural.h"
#include "text/separators.h"

#include <model_validator/quantisation.h>

#include <algorithm>
#include <map>
#include <ostream>

namespace model_validator {
namespace {

std::string text_of(const TensorTotals& totals) {
  return with_separators(totals.elements) + " numbers in " + with_separators(totals.tensors) +
         (totals.tensors == 1 ? " tensor, " : " tensors, ") + with_separators(totals.bytes) +
         " bytes";
}

/// The range of every size that the file bounds: `dimension 0: 2..64`.
std::string ranges_of(const Op& op) {
  constexpr std::string_view prefix = "range_";
  std::string text;
  for (const Attribute& attribute : op.attributes)
    if (const auto* range = std::get_if<std::string>(&attribute.value);
        range != nullptr && attribute.name.starts_with(prefix))
      text += "  (dimension " + attribute.name.substr(prefix.size()) + ": " + *range + ")";
  return text;
}

/// The type with the names of its sizes: `int64[batch_size, 2*h]`.
std::string text_of(const ConnectedGraph& graph, const Port& port, OpId id) {
  const auto sizes = port_size_names(graph, id);
  if (!sizes) return to_text(port.type);
  const std::string dtype = port.type.dtype.empty() ? "?" : port.type.dtype;
  return dtype + "[" + escape(joined(*sizes, ", ")) + "]";
}

void write_ports(std::ostream& out, const char* title, const ConnectedGraph& graph,
                 const std::vector<Port>& ports, const std::vector<OpId>& ops) {
  out << title << "\n";
  if (ports.empty()) out << "  none\n";
  std::vector<std::string> names, types;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    names.push_back(ports[i].name);
    types.push_back(text_of(graph, ports[i], ops[i]) + escape(ranges_of(graph.op(ops[i]))));
  }
  for (const NameGroup& group : group_names(names, types))
    out << "  " << escape(group.name) << ": " << types[group.members.front()] << "\n";
}

std::string text_of(const MultiplyAccumulates& counts) {
  const std::size_t unknown = counts.unknown.size() - counts.of_free_sizes;
  if (counts.by_op.empty() && counts.for_any_size.empty() && !counts.unknown.empty())
    return "unknown: the file does not state the shapes";
  std::string text =
      counts.for_any_size.empty() ? with_separators(counts.total) : escape(counts.for_any_size);
  if (unknown > 0) text += ", without " + plural(unknown, "op") + " of unknown shape";
  return text;
}

std::string text_of(const ConnectedGraph& graph, const ActivationMemory& memory) {
  if (memory.op == none) return "unknown: the file does not state the shapes";
  std::string text = memory.bytes ? with_separators(*memory.bytes) : escape(memory.for_any_size);
  if (text.empty()) return "unknown";
  text += " bytes at once, at `" + escape(graph.op(memory.op).name) + "`";
  if (memory.unknown > 0)
    text += ", without " + plural(memory.unknown, "value") + " of unknown size";
  return text;
}

std::string fingerprint_text(const ModelSummary& summary) {
  if (summary.fingerprint) return *summary.fingerprint;
  return summary.why_no_fingerprint.empty() ? "not computed"
                                            : "unknown: " + escape(summary.why_no_fingerprint);
}

Json json_of(const TensorTotals& totals) {
  return {{"tensors", totals.tensors}, {"elements", totals.elements}, {"bytes", totals.bytes}};
}

Json json_of(const ConnectedGraph& graph, const ActivationMemory& memory) {
  Json json{{"bytes", memory.bytes ? Json(*memory.bytes) : Json()},
            {"op", memory.op == none ? Json() : Json(graph.op(memory.op).name)},
            {"unknown", memory.unknown}};
  if (!memory.for_any_size.empty()) json["for_any_size"] = memory.for_any_size;
  return json;
}

Json json_of(const ConnectedGraph& graph, const Port& port, OpId id) {
  Json json{{"name", port.name},
            {"shape", shape_json(port.type.shape)},
            {"dtype", text_or_null(port.type.dtype)}};
  if (const auto sizes = port_size_names(graph, id)) json["sizes"] = *sizes;
  return json;
}

Json json_of(const ConnectedGraph& graph, const std::vector<Port>& ports,
             const std::vector<OpId>& ops) {
  Json all = Json::array();
  for (std::size_t i = 0; i < ports.size(); ++i) all.push_back(json_of(graph, ports[i], ops[i]));
  return all;
}

Json json_of(const ConnectedGraph& graph, const MultiplyAccumulates& counts) {
  Json by_op = Json::object();
  for (const auto& [op, count] : counts.by_op) by_op[graph.op(op).name] = count;
  const auto name = [&](OpId op) { return graph.op(op).name; };
  Json json{
      {"total", counts.total}, {"by_op", by_op}, {"unknown", json_array(counts.unknown, name)}};
  if (!counts.for_any_size.empty()) json["for_any_size"] = counts.for_any_size;
  return json;
}

/// How many weights are stored in each dtype that is not what they stand for.
std::map<std::string, std::size_t> quantised_weights(const ConnectedGraph& graph) {
  std::map<std::string, std::size_t> counts;
  for (const Parameter& parameter : graph.parameters())
    if (parameter.quantisation) ++counts[parameter.type.dtype];
  return counts;
}

/// `7 in 4 bits, blocks of 32`
std::string text_of(const PackedWeights& packed) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> counts;
  for (const auto& [id, weight] : packed.weights) ++counts[{weight.bits, weight.block_size}];
  std::string text;
  for (const auto& [kind, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " in " +
            std::to_string(kind.first) + " bits, blocks of " + std::to_string(kind.second);
  return text + (packed.tied > 0 ? ", embeddings tied" : "");
}

Json json_of(const PackedWeights& packed) {
  const auto to_json = [](const auto& entry) {
    const auto& [id, weight] = entry;
    return Json{
        {"elements", weight.elements}, {"bits", weight.bits}, {"block_size", weight.block_size}};
  };
  return {{"weights", json_array(packed.weights, to_json)}, {"tied", packed.tied}};
}

std::string text_of(const std::map<std::string, std::size_t>& counts) {
  std::string text;
  for (const auto& [dtype, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " in " + dtype;
  return text;
}

/// Sizes that may only grow so far, as tables of positions end: the largest of each.
std::map<std::string, std::int64_t> limits_of(const ConnectedGraph& graph) {
  std::map<std::string, std::int64_t> limits;
  if (!graph.shapes) return limits;
  for (const auto& limit : graph.shapes->facts.limits) {
    const auto [place, is_new] = limits.emplace(graph.shapes->sizes.text(limit.size), limit.most);
    place->second = std::min(place->second, limit.most);
  }
  return limits;
}

std::string limits_text(const ConnectedGraph& graph) {
  std::string text;
  for (const auto& [size, most] : limits_of(graph))
    text += "positions end         at " + with_separators(static_cast<std::uint64_t>(most)) +
            ": `" + escape(size) + "` can be no larger\n";
  return text;
}

void write_data_files(std::ostream& out, const std::vector<DataFile>& files) {
  constexpr std::size_t max_files = 5;
  for (std::size_t i = 0; i < std::min(files.size(), max_files); ++i) {
    out << "data                  " << escape(files[i].name) << ", "
        << with_separators(files[i].bytes) << " bytes";
    if (files[i].unread > 0)
      out << ", of which no tensor takes " << with_separators(files[i].unread);
    out << "\n";
  }
  if (files.size() > max_files)
    out << "                      and " << plural(files.size() - max_files, "more file") << "\n";
}

Json json_of(const std::vector<DataFile>& files) {
  return json_array(files, [](const DataFile& file) {
    return Json{{"name", file.name}, {"bytes", file.bytes}, {"unread", file.unread}};
  });
}

} // namespace

void write_summary_text(std::ostream& out, const ModelSummary& summary) {
  const Model& model = summary.model;
  const GraphOrigin& origin = model.graph().origin;
  out << escape(origin.path) << "\n  " << to_string(origin.format);
  if (!origin.producer.empty()) out << ", by " << escape(origin.producer);
  if (origin.opset) out << ", opset " << *origin.opset;
  out << ", " << with_separators(origin.file_bytes) << " bytes\n\n";
  write_ports(out, "inputs", model.graph(), model.inputs(), model.graph().inputs());
  write_ports(out, "outputs", model.graph(), model.outputs(), model.graph().outputs());
  out << "parameters            " << text_of(model.parameters())
      << (count_tied_embeddings(model.graph()) > 0 ? ", embeddings tied" : "") << "\n";
  if (const auto quantised = quantised_weights(model.graph()); !quantised.empty())
    out << "  quantised           " << text_of(quantised) << "\n";
  if (const PackedWeights packed = find_packed_weights(model.graph()); !packed.weights.empty())
    out << "  packed              " << text_of(packed) << "\n";
  if (const std::uint64_t bytes = cache_bytes(model.inputs(), model.outputs()); bytes > 0)
    out << "caches                " << with_separators(bytes) << " bytes for each element\n";
  write_data_files(out, summary.data_files);
  out << "buffers               " << text_of(model.buffers()) << "\n"
      << "multiply-accumulates  " << text_of(model.multiply_accumulates()) << "\n"
      << "activations           " << text_of(model.graph(), model.activation_memory()) << "\n"
      << limits_text(model.graph()) << "structural hash       " << model.structural_hash() << "\n"
      << "fingerprint           " << fingerprint_text(summary) << "\n"
      << "operators\n";
  for (const auto& [name, count] : most_frequent_first(model.operators()))
    out << "  " << std::string(6 - std::min<std::size_t>(6, std::to_string(count).size()), ' ')
        << count << "  " << escape(name) << "\n";
}

void write_summary_json(std::ostream& out, const ModelSummary& summary) {
  const Model& model = summary.model;
  const GraphOrigin& origin = model.graph().origin;
  Json json;
  json["schema"] = "model_validator-inspect/1";
  json["path"] = origin.path;
  json["format"] = to_string(origin.format);
  json["producer"] = text_or_null(origin.producer);
  json["opset"] = origin.opset ? Json(*origin.opset) : Json();
  json["file_bytes"] = origin.file_bytes;
  json["inputs"] = json_of(model.graph(), model.inputs(), model.graph().inputs());
  json["outputs"] = json_of(model.graph(), model.outputs(), model.graph().outputs());
  json["parameters"] = json_of(model.parameters());
  if (auto quantised = quantised_weights(model.graph()); !quantised.empty())
    json["quantised_weights"] = std::move(quantised);
  if (const PackedWeights packed = find_packed_weights(model.graph()); !packed.weights.empty())
    json["packed_weights"] = json_of(packed);
  if (const std::size_t tied = count_tied_embeddings(model.graph()); tied > 0)
    json["tied_embeddings"] = tied;
  if (const std::uint64_t bytes = cache_bytes(model.inputs(), model.outputs()); bytes > 0)
    json["cache_bytes_per_element"] = bytes;
  if (!summary.data_files.empty()) json["data_files"] = json_of(summary.data_files);
  json["buffers"] = json_of(model.buffers());
  json["multiply_accumulates"] = json_of(model.graph(), model.multiply_accumulates());
  json["activation_memory"] = json_of(model.graph(), model.activation_memory());
  if (auto limits = limits_of(model.graph()); !limits.empty())
    json["largest_sizes"] = std::move(limits);
  json["structural_hash"] = model.structural_hash();
  json["fingerprint"] = summary.fingerprint ? Json(*summary.fingerprint) : Json();
  json["operators"] = model.operators();
  json["schemas"] = model.schemas();
  out << json_text(json, 2) << "\n";
}

} // namespace model_validator
