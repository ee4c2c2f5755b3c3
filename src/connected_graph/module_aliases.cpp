#include "connected_graph/module_aliases.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace model_validator {
namespace {

using Modules = std::vector<Module>;

std::string relative_path(const std::string& path, const std::string& ancestor) {
  return ancestor.empty() ? path : path.substr(std::min(path.size(), ancestor.size() + 1));
}

/// The tensors in a module and beneath it, by path relative to it.
struct Tensors {
  std::set<std::string> all;
  bool conclusive = false;
};

std::vector<Tensors> tensors_beneath(const Modules& modules,
                                     const std::vector<OwnedTensor>& owned) {
  std::vector<Tensors> beneath(modules.size());
  for (const OwnedTensor& tensor : owned) {
    const std::string& path = modules[tensor.module].path;
    for (ModuleId id = tensor.module; id != none; id = modules[id].parent) {
      beneath[id].all.insert(relative_path(path, modules[id].path) + '\n' + tensor.name + '\n' +
                             std::to_string(tensor.storage));
      beneath[id].conclusive = beneath[id].conclusive || tensor.conclusive;
    }
  }
  return beneath;
}

std::vector<ModuleId> shortest_paths_first(const Modules& modules) {
  std::vector<ModuleId> order(modules.size());
  for (ModuleId id = 0; id < order.size(); ++id) order[id] = id;
  const auto depth = [&](ModuleId id) {
    return std::count(modules[id].path.begin(), modules[id].path.end(), '.');
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](ModuleId a, ModuleId b) { return depth(a) < depth(b); });
  return order;
}

/// Matches modules by their tensors. An unknown class matches any.
class Twins {
public:
  explicit Twins(Modules& modules) : modules_(modules) {}

  /// The first module with these tensors and this class, possibly `id` itself.
  ModuleId first(ModuleId id, const std::set<std::string>& tensors) {
    for (const ModuleId known : known_[tensors]) {
      std::string& class_name = modules_[known].class_name;
      const std::string& other = modules_[id].class_name;
      if (!class_name.empty() && !other.empty() && class_name != other) continue;
      if (class_name.empty()) class_name = other;
      return known;
    }
    known_[tensors].push_back(id);
    return id;
  }

private:
  Modules& modules_;
  std::map<std::set<std::string>, std::vector<ModuleId>> known_;
};

/// The primary of each module: itself, or the one it is an alias of. A class found on the way is
/// recorded in the copy of the modules.
std::vector<ModuleId> primaries(Modules modules, const std::vector<OwnedTensor>& owned) {
  const auto tensors = tensors_beneath(modules, owned);
  std::map<std::string, ModuleId> by_path;
  for (ModuleId id = 0; id < modules.size(); ++id) by_path[modules[id].path] = id;
  Twins twins(modules);
  std::vector<ModuleId> primary(modules.size(), none);
  for (const ModuleId id : shortest_paths_first(modules)) {
    const Module& module = modules[id];
    primary[id] = id;
    if (module.parent != none && primary[module.parent] != module.parent) {
      const std::string& parent = modules[primary[module.parent]].path;
      const std::string name = relative_path(module.path, modules[module.parent].path);
      const auto twin = by_path.find(parent.empty() ? name : parent + "." + name);
      // The twin may come later in the file's order.
      if (twin != by_path.end() && twin->second != id)
        primary[id] = primary[twin->second] != none ? primary[twin->second] : twin->second;
    }
    if (primary[id] == id && tensors[id].conclusive && module.parent != none)
      primary[id] = twins.first(id, tensors[id].all);
    if (modules[primary[id]].class_name.empty())
      modules[primary[id]].class_name = module.class_name;
  }
  return primary;
}

/// A module may be an alias of a later one. A module that would be its own alias is its own
/// primary.
ModuleId final_primary(const std::vector<ModuleId>& primary, ModuleId id) {
  ModuleId last = id;
  for (std::size_t steps = 0; steps < primary.size() && primary[last] != last; ++steps)
    last = primary[last];
  return primary[last] == last ? last : id;
}

} // namespace

std::vector<ModuleId> alias_primaries(Modules& modules, const std::vector<OwnedTensor>& owned) {
  std::vector<ModuleId> primary = primaries(modules, owned);
  for (ModuleId id = 0; id < primary.size(); ++id) primary[id] = final_primary(primary, id);
  return primary;
}

std::vector<ModuleId> merge_aliases(GraphBuilder& graph, const std::vector<OwnedTensor>& owned) {
  return merge_modules(graph, alias_primaries(graph.modules(), owned));
}

std::vector<ModuleId> merge_modules(GraphBuilder& graph, const std::vector<ModuleId>& primary) {
  Modules& modules = graph.modules();
  std::vector<ModuleId> now(modules.size(), none);
  Modules kept;
  for (ModuleId id = 0; id < modules.size(); ++id)
    if (primary[id] == id) {
      now[id] = kept.size();
      kept.push_back(std::move(modules[id]));
    }
  for (ModuleId id = 0; id < modules.size(); ++id) {
    now[id] = now[primary[id]];
    if (primary[id] == id) continue;
    Module& into = kept[now[id]];
    if (into.class_name.empty()) into.class_name = modules[id].class_name;
    into.aliases.push_back(modules[id].path);
    into.aliases.insert(into.aliases.end(), modules[id].aliases.begin(), modules[id].aliases.end());
  }
  const auto renumber = [&now](ModuleId& module) { module = module == none ? none : now[module]; };
  for (Module& module : kept) renumber(module.parent);
  for (Frame& frame : graph.frames()) renumber(frame.module);
  for (StateWrite& write : graph.state_writes) renumber(write.module);
  modules = std::move(kept);
  return now;
}

} // namespace model_validator
