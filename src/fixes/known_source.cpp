#include "fixes/known_source.h"

#include "fixes/other_uses.h"
#include "fixes/python/scope.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// Whether a class derives from torch's modules, as far as the source shows.
bool is_module(const Node& type, SourceIndex& index, int deepest = 6) {
  const Imports& imports = index.imports_of(type);
  for (const Node& base : type.field("superclasses").children()) {
    if (imports.resolve(base.text()).starts_with("torch.nn.")) return true;
    if (deepest == 0) continue;
    for (const Node& each : index.classes_named(std::string(base.text())))
      if (is_module(each, index, deepest - 1)) return true;
  }
  return false;
}

/// Whether a constructor makes a module, whatever it is given.
bool makes_module(const Node& constructor, const Imports& imports, SourceIndex& index) {
  for (const Node& statement : constructor.field("body").children()) {
    if (!statement.is("expression_statement") || statement.children().empty()) continue;
    const Node made = statement.children().front();
    const Node callee = made.field("right").field("function");
    if (!made.is("assignment") || !callee) continue;
    const std::string full = imports.resolve(callee.text());
    if (full.starts_with("torch.nn.") && !full.ends_with("Parameter")) return true;
    const auto& own = index.classes_named(std::string(callee.text()));
    if (!own.empty() && std::all_of(own.begin(), own.end(),
                                    [&](const Node& each) { return is_module(each, index); }))
      return true;
  }
  return false;
}

} // namespace

bool KnownSource::shares_mode(const Node& type) {
  if (!sets_modes_) {
    sets_modes_ = index_.has_line_with(".training", "training =");
    for (const char* asks : {"isinstance(", "__name__", "type("})
      *sets_modes_ = *sets_modes_ || index_.has_line_with("Dropout", asks);
  }
  return *sets_modes_ || index_.family_of(type).sets_mode;
}

std::string KnownSource::made_otherwise(const Node& type) {
  const Node kept = index_.kept(type);
  if (!kept) return instance_without_constructor(type, index_);
  const auto [known, first] = made_otherwise_.try_emplace(key_of(kept));
  if (first) known->second = instance_without_constructor(kept, index_);
  return known->second;
}

std::string KnownSource::notices_child(const Imports& imports, const Node& type, NewChild child) {
  if (const std::string otherwise = made_otherwise(type); !otherwise.empty())
    return otherwise + " may mean that an instance of `" + name_of(type) + "` lacks the new module";
  if (!looks_) looks_.emplace(index_);
  const ClassFamily& family = index_.family_of(type);
  child.is_first = !makes_module(find_method(type, "__init__"), imports, index_);
  child.in_part = is_part_of_others(name_of(type), index_);
  const auto [of_child, fresh] = child_families_.try_emplace({child.type, child.copied.empty()});
  if (fresh && !child.copied.empty())
    for (const Node& each : index_.classes_named(child.type)) {
      ClassFamily more = index_.family_of(each);
      of_child->second.classes.merge(more.classes);
      of_child->second.attributes.merge(more.attributes);
    }
  const std::string place = looks_->place_that_notices(family, child, of_child->second);
  return place.empty() ? place
                       : place + " may notice that `" + name_of(type) + "` has one more child";
}

} // namespace model_validator::fixes
