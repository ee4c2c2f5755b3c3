#include "validators/suggestions/separate_modules.h"

#include "validators/suggestions/constructor.h"
#include "validators/suggestions/module_reuse.h"

#include <model_validator/data/contains.h>

#include <algorithm>

namespace model_validator {
namespace {

bool is_collection(const Module& module) {
  return module.class_name.starts_with("torch.nn.modules.container.");
}

/// Where the module is constructed: the attribute that holds it, or the collection it is in.
struct Home {
  std::string class_name;
  std::string attribute; ///< empty where the collection is the model itself
  bool in_collection = false;
};

Home home_of(const ConnectedGraph& graph, ModuleId id) {
  Home home;
  ModuleId owner = graph.module(id).parent;
  home.attribute = last_part(graph.module(id).path);
  while (owner != none && is_collection(graph.module(owner))) {
    home.in_collection = true;
    home.class_name = graph.module(owner).class_name;
    home.attribute = last_part(graph.module(owner).path);
    owner = graph.module(owner).parent;
  }
  if (owner != none) home.class_name = graph.module(owner).class_name;
  return home;
}

/// Several modules that share one: each constructs its own instead.
std::string own_for_each_caller(const ConnectedGraph& graph, const Module& module,
                                const std::set<ModuleId>& callers, const std::string& constructor) {
  constexpr std::size_t most = 3;
  const auto attributes = owner_attributes(module);
  std::vector<std::string> places;
  for (const ModuleId caller : callers) {
    if (caller == none || places.size() > most) continue;
    const Module& owner = graph.module(caller);
    const auto own = attributes.find(owner.path);
    const std::string& attribute = own == attributes.end() ? last_part(module.path) : own->second;
    const std::string place = assignment(attribute, constructor) + in_init_of(owner.class_name);
    if (!contains(places, place)) places.push_back(place);
  }
  std::string text = "give each module that calls it one of its own: ";
  for (std::size_t i = 0; i < std::min(places.size(), most); ++i)
    text += (i ? ", " : "") + places[i];
  return text + (places.size() > most ? " and so on" : "");
}

} // namespace

std::string separate_modules_help(const ConnectedGraph& graph, ModuleId id,
                                  const RepeatedCall& calls, ModuleNames& names) {
  const Module& module = graph.module(id);
  const std::string constructor = construct_like(graph, id);
  const auto callers = callers_of(graph, id);
  if (callers.size() > 1) return own_for_each_caller(graph, module, callers, constructor);
  const Home home = home_of(graph, id);
  if (home.in_collection && home.attribute.empty())
    return "give each call its own module: put another `" + constructor + "` into the `" +
           home.class_name.substr(home.class_name.rfind('.') + 1) + "` for it";
  if (home.in_collection)
    return "give each call its own module: add another `" + constructor + "` to `self." +
           home.attribute + '`' + in_init_of(home.class_name) + ", and call it here";
  if (calls.first && calls.first == calls.second)
    return "give each iteration its own module: " +
           assignment(home.attribute, "nn.ModuleList(" + constructor + " for _ in range(...))") +
           in_init_of(home.class_name) + ", and call a different one in each iteration";
  const std::string& parent = graph.module_path(module.parent);
  const std::string second = names.further(parent, home.attribute);
  if (module.calls <= 2)
    return "give each call its own module: " + assignment(second, constructor) +
           in_init_of(home.class_name) + ", and call it here";
  return "give each call its own module: " + assignment(second, constructor) +
         " and so on, one for each of the " + std::to_string(module.calls) + " calls," +
         in_init_of(home.class_name) + ", and call a different one each time";
}

} // namespace model_validator
