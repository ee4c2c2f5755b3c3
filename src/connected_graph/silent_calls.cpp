#include "connected_graph/silent_calls.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace model_validator {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether the line may behave differently each time it runs.
bool is_conditional(std::string_view line) {
  constexpr std::array<std::string_view, 7> words{"if",  "else",   "and",  "or",
                                                  "for", "lambda", "while"};
  for (std::size_t at = 0; at < line.size();) {
    if (!in_name(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && in_name(line[end])) ++end;
    if (contains(words, line.substr(at, end - at))) return true;
    at = end;
  }
  return false;
}

std::unordered_map<std::string, ModuleId> modules_by_path(const ConnectedGraph& graph) {
  std::unordered_map<std::string, ModuleId> by_path;
  for (ModuleId id = 0; id < graph.modules().size(); ++id) {
    by_path.emplace(graph.module(id).path, id);
    for (const std::string& alias : graph.module(id).aliases) by_path.emplace(alias, id);
  }
  return by_path;
}

/// Leaves whose calls ran no operator.
std::vector<bool> silent_leaves(const ConnectedGraph& graph,
                                const std::vector<ProgramNode>& nodes) {
  std::vector<bool> silent(graph.modules().size());
  for (ModuleId id = 0; id < silent.size(); ++id) silent[id] = graph.module(id).leaf;
  for (const ProgramNode& node : nodes)
    for (const ModuleCall& call : node.stack) silent[call.module] = false;
  return silent;
}

/// The call of a module that a node belongs to; null if none.
const ModuleCall* call_of(const ProgramNode& node, ModuleId module) {
  const auto found = std::find_if(node.stack.rbegin(), node.stack.rend(),
                                  [&](const ModuleCall& call) { return call.module == module; });
  return found == node.stack.rend() ? nullptr : &*found;
}

} // namespace

std::vector<std::string> calls_of_self(std::string_view line) {
  constexpr std::string_view self = "self.";
  line = line.substr(0, line.find('#'));
  std::vector<std::string> calls;
  if (is_conditional(line)) return calls;
  for (auto at = line.find(self); at != std::string_view::npos; at = line.find(self, at + 1)) {
    if (at > 0 && (in_name(line[at - 1]) || line[at - 1] == '.')) continue;
    const std::size_t begin = at + self.size();
    std::size_t end = begin;
    while (end < line.size() && (in_name(line[end]) || line[end] == '.')) ++end;
    if (end > begin && end < line.size() && line[end] == '(')
      calls.emplace_back(line.substr(begin, end - begin));
  }
  return calls;
}

std::vector<SilentCall> silent_calls(const ConnectedGraph& graph,
                                     const std::vector<ProgramNode>& nodes) {
  const auto by_path = modules_by_path(graph);
  const std::vector<bool> silent = silent_leaves(graph, nodes);
  std::vector<SilentCall> found;
  if (!contains(silent, true)) return found;
  std::set<std::tuple<ModuleId, std::size_t, std::string, int>> seen;
  for (const ProgramNode& node : nodes)
    for (FrameId id = node.frame; id != none; id = graph.frames()[id].caller) {
      const Frame& frame = graph.frames()[id];
      const ModuleCall* call = frame.module == none ? nullptr : call_of(node, frame.module);
      const std::string* text = graph.source_line(frame.location.file, frame.location.line);
      if (call == nullptr || text == nullptr) continue;
      if (!seen.emplace(call->module, call->call, frame.location.file, frame.location.line).second)
        continue;
      const std::string& path = graph.module_path(frame.module);
      for (const std::string& name : calls_of_self(*text)) {
        const auto child = by_path.find(path.empty() ? name : path + "." + name);
        if (child != by_path.end() && silent[child->second])
          found.push_back({child->second, id, node.region});
      }
    }
  return found;
}

} // namespace model_validator
