#include "connected_graph/exported_program/converter.h"
#include "connected_graph/exported_program/written_state.h"

#include <algorithm>
#include <unordered_set>

// A decomposed program writes nothing in its graph: it returns the new values of its buffers
// alongside the results. One that was not decomposed writes into them.

namespace model_validator::exported_program {
namespace {

/// Parameters and buffers that results depend on.
std::unordered_set<ParameterId> used_for(std::unordered_set<ValueId> results,
                                         const std::vector<FlatNode>& nodes) {
  std::unordered_set<ParameterId> used;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (std::none_of(node->outputs.begin(), node->outputs.end(),
                     [&](ValueId value) { return results.contains(value); }))
      continue;
    results.insert(node->inputs.begin(), node->inputs.end());
    // `copy` and `fill` take what they overwrite as input.
    if (node->type != "copy" && node->type != "fill")
      used.insert(node->parameters.begin(), node->parameters.end());
  }
  return used;
}

std::unordered_map<std::string, ParameterId> by_path(const std::vector<Parameter>& parameters) {
  std::unordered_map<std::string, ParameterId> ids;
  for (ParameterId id = 0; id < parameters.size(); ++id) ids.emplace(parameters[id].path, id);
  return ids;
}

} // namespace

void Converter::add_state_write(const std::string& path, ParameterId written) {
  StateWrite write;
  write.module = module_at(parent_path(path));
  write.attribute = graph_.parameters()[written].name;
  write.in_place = true;
  graph_.state_writes.push_back(std::move(write));
}

void Converter::read_writes_of_nodes() {
  for (const ParameterWrite& each : parameter_writes(assembler_)) {
    const FlatNode& node = assembler_.nodes()[each.node];
    add_state_write(graph_.parameters()[each.parameter].path, each.parameter);
    StateWrite& write = graph_.state_writes.back();
    write.read = each.read;
    write.frame = node.frame;
    write.region = node.region;
    write.schema = node.schema;
  }
}

void Converter::read_declared_writes(const Json& graph, const Scope& scope) {
  const auto parameters = by_path(graph_.parameters());
  std::unordered_map<ValueId, std::size_t> writes; ///< by the written value
  std::vector<ParameterId> written;
  std::unordered_set<ValueId> results;
  for (const Json& spec : source_.program.at("graph_module").at("signature").at("output_specs"))
    for (const auto& [kind, content] : spec.items()) {
      if (kind == "user_output")
        for (const std::string& name : take_apart(content.at("arg")).tensors)
          results.insert(find(graph, name, scope).value);
      const bool buffer = kind == "buffer_mutation";
      if (!buffer && kind != "parameter_mutation") continue;
      const std::string path = content.at(buffer ? "buffer_name" : "parameter_name");
      const auto parameter = parameters.find(path);
      if (parameter == parameters.end())
        fail("it writes to `" + path + "`, which it does not have");
      const std::string value = content.at("arg").at("name");
      writes[find(graph, value, scope).value] = written.size();
      written.push_back(parameter->second);
      add_state_write(path, parameter->second);
    }
  if (written.empty()) return;
  const auto used = used_for(std::move(results), assembler_.nodes());
  for (std::size_t i = 0; i < written.size(); ++i)
    graph_.state_writes[i].read = used.contains(written[i]);
  for (const FlatNode& node : assembler_.nodes())
    for (const ValueId value : node.outputs)
      if (const auto write = writes.find(value); write != writes.end()) {
        graph_.state_writes[write->second].frame = node.frame;
        graph_.state_writes[write->second].schema = node.schema;
      }
}

} // namespace model_validator::exported_program
