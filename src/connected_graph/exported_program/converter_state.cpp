#include "connected_graph/exported_program/arguments.h"
#include "connected_graph/exported_program/converter.h"
#include "connected_graph/operator_memory.h"
#include "connected_graph/undecomposed_type.h"

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <unordered_set>

// A decomposed program writes nothing in its graph: it returns the new values of its buffers
// alongside the results. One that was not decomposed writes into them.

namespace model_validator::exported_program {
namespace {

/// Parameters and buffers that results depend on.
std::unordered_set<ParameterId> used_for(std::unordered_set<ValueId> results,
                                         const Program& program) {
  std::unordered_set<ParameterId> used;
  for (auto node = program.nodes.rbegin(); node != program.nodes.rend(); ++node) {
    if (std::none_of(node->outputs.begin(), node->outputs.end(),
                     [&](ValueId value) { return results.contains(value); }))
      continue;
    results.insert(node->inputs.begin(), node->inputs.end());
    // `copy` and `fill` take what they overwrite as input.
    if (node->type != "copy" && node->type != "fill")
      for (const ValueId value : node->inputs) used.insert(program.parameter_of(value));
  }
  return used;
}

std::unordered_map<std::string, ParameterId> by_path(const std::vector<Parameter>& parameters) {
  std::unordered_map<std::string, ParameterId> ids;
  for (ParameterId id = 0; id < parameters.size(); ++id) ids.emplace(parameters[id].path, id);
  return ids;
}

/// What owns memory: a parameter or buffer, or the value that a node made.
struct Owner {
  bool parameter = false;
  std::size_t id = none;
  friend auto operator<=>(const Owner&, const Owner&) = default;
};

struct Memory {
  Owner owner;
  bool whole = true; ///< not a view of a part
};

bool replaces_all(const ProgramNode& node) {
  return node.type == "copy" || node.type == "fill" || node.type == "zero";
}

/// Which memory each value is.
class Memories {
public:
  explicit Memories(const Program& program) : program_(program) {
    for (const ProgramNode& node : program.nodes) {
      if (node.inputs.empty() || node.kind == OpKind::control_flow) continue;
      const bool writes = writes_in_place(node.schema);
      if (!writes && !returns_view(node.type)) continue;
      Memory memory = of(node.inputs.front());
      memory.whole = memory.whole && writes;
      for (const ValueId value : node.outputs) views_.emplace(value, memory);
    }
  }

  Memory of(ValueId value) const {
    const ParameterId parameter = program_.parameter_of(value);
    if (parameter != none) return {{true, parameter}};
    const auto view = views_.find(value);
    return view == views_.end() ? Memory{{false, value}} : view->second;
  }

private:
  const Program& program_;
  std::map<ValueId, Memory> views_;
};

/// Follows through one run what depends on the memory that one parameter begins with.
class Dependence {
public:
  Dependence(const Memories& memories, ParameterId parameter)
      : memories_(memories), depending_{{true, parameter}} {}

  void run(const ProgramNode& node) {
    if (node.outputs.empty() && node.inputs.empty()) return;
    const bool writes = !node.inputs.empty() && writes_in_place(node.schema);
    const bool depends = reads(node, writes && replaces_all(node));
    if (writes) return write(node, depends);
    if (!depends) return;
    for (const ValueId value : node.outputs) depending_.insert(memories_.of(value).owner);
  }

  bool has(ValueId value) const {
    return value != none && depending_.contains(memories_.of(value).owner);
  }

private:
  bool reads(const ProgramNode& node, bool without_first) const {
    return std::any_of(node.inputs.begin() + (without_first ? 1 : 0), node.inputs.end(),
                       [this](ValueId value) { return has(value); });
  }

  void write(const ProgramNode& node, bool depends) {
    const Memory memory = memories_.of(node.inputs.front());
    if (depends)
      depending_.insert(memory.owner);
    else if (replaces_all(node) && memory.whole && node.region == none)
      depending_.erase(memory.owner);
  }

  const Memories& memories_;
  std::set<Owner> depending_;
};

bool results_depend_on(ParameterId parameter, const Memories& memories,
                       const GraphAssembler& assembler) {
  Dependence dependence(memories, parameter);
  for (const ProgramNode& node : assembler.nodes()) dependence.run(node);
  const auto& outputs = assembler.outputs();
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](const auto& output) { return dependence.has(output.second); });
}

/// A node that writes into a parameter or buffer, itself or through a view.
struct ParameterWrite {
  std::size_t node = 0;
  ParameterId parameter = none;
  bool read = false; ///< results of the next call depend on what is there now
};

/// Programs that were not decomposed write in their graph, and declare nothing.
std::vector<ParameterWrite> parameter_writes(const GraphAssembler& assembler) {
  constexpr std::size_t most_steps = 50'000'000; // a file may hold many writes into many buffers
  const std::vector<ProgramNode>& nodes = assembler.nodes();
  const Memories memories(assembler.program());
  std::vector<ParameterWrite> writes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].inputs.empty() || !writes_in_place(nodes[i].schema)) continue;
    const Owner owner = memories.of(nodes[i].inputs.front()).owner;
    if (owner.parameter) writes.push_back({i, owner.id});
  }
  std::map<ParameterId, bool> read;
  for (ParameterWrite& write : writes) {
    const auto [known, added] = read.try_emplace(write.parameter, true);
    if (added && read.size() * nodes.size() < most_steps)
      known->second = results_depend_on(write.parameter, memories, assembler);
    write.read = known->second;
  }
  return writes;
}

/// The path of what an entry of the signature's results writes; nullopt for one that writes
/// nothing.
std::optional<std::string> path_written(const std::string& kind, const Json& content) {
  if (kind == "buffer_mutation") return content.at("buffer_name");
  if (kind == "parameter_mutation") return content.at("parameter_name");
  return std::nullopt;
}

} // namespace

std::set<std::string> Converter::names_written(const Json& graph) {
  std::map<std::string, std::string> owners; // of views
  std::set<std::string> written;
  for (const Json& node : graph.at("nodes")) {
    if (node.at("inputs").empty()) continue;
    const std::string schema = schema_of_target(node.at("target").get<std::string>());
    const bool writes = writes_in_place(schema);
    if (!writes && !returns_view(undecomposed_type(schema))) continue;
    const Argument first = take_apart(node.at("inputs").at(0).at("arg"));
    if (first.tensors.size() != 1) continue;
    const auto known = owners.find(first.tensors[0]);
    const std::string owner = known == owners.end() ? first.tensors[0] : known->second;
    if (writes) written.insert(owner);
    for (const Json& output : node.at("outputs"))
      for (const std::string& name : take_apart(output).tensors) owners.emplace(name, owner);
  }
  return written;
}

void Converter::add_state_write(const std::string& path, ParameterId written) {
  StateWrite write;
  write.module = module_at(parent_path(path));
  write.attribute = graph_.parameters()[written].name;
  write.in_place = true;
  graph_.state_writes.push_back(std::move(write));
}

void Converter::read_writes_of_nodes() {
  for (const ParameterWrite& each : parameter_writes(assembler_)) {
    const ProgramNode& node = assembler_.nodes()[each.node];
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
          results.insert(find(graph, name, scope));
      const auto path = path_written(kind, content);
      if (!path) continue;
      const auto parameter = parameters.find(*path);
      if (parameter == parameters.end())
        fail("it writes to `" + *path + "`, which it does not have");
      const std::string value = content.at("arg").at("name");
      writes[find(graph, value, scope)] = written.size();
      written.push_back(parameter->second);
      add_state_write(*path, parameter->second);
    }
  if (!written.empty()) note_declared_writes(written, writes, std::move(results));
}

/// Whether anything reads what is written, and the nodes that write it.
void Converter::note_declared_writes(const std::vector<ParameterId>& written,
                                     const std::unordered_map<ValueId, std::size_t>& writes,
                                     std::unordered_set<ValueId> results) {
  const auto used = used_for(std::move(results), assembler_.program());
  for (std::size_t i = 0; i < written.size(); ++i)
    graph_.state_writes[i].read = used.contains(written[i]);
  for (const ProgramNode& node : assembler_.nodes())
    for (const ValueId value : node.outputs)
      if (const auto write = writes.find(value); write != writes.end()) {
        graph_.state_writes[write->second].frame = node.frame;
        graph_.state_writes[write->second].schema = node.schema;
      }
}

} // namespace model_validator::exported_program
