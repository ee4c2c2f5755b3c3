#include "fixes/looks/child_looks.h"

#include "fixes/python/scope.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

bool have_common(const std::set<std::string>& one, const std::set<std::string>& other) {
  return std::any_of(one.begin(), one.end(),
                     [&](const std::string& each) { return other.count(each) != 0; });
}

/// Whether two children are alike in all that was asked.
bool are_alike(const NewChild& one, const NewChild& other, const ChildFlow::Asked& asked) {
  return one.copied.empty() == other.copied.empty() && one.is_list == other.is_list &&
         (!asked.type || one.type == other.type) &&
         (!asked.name || (one.name == other.name && one.copied == other.copied)) &&
         (!asked.order || one.is_first == other.is_first);
}

} // namespace

ChildLooks::ChildLooks(SourceIndex& index) : index_(index) {
  for (const Node& root : index.roots_with(texts_of_child_accesses()))
    for (ChildAccess& access : child_accesses(root, index)) looks_.push_back({std::move(access)});
}

std::string ChildLooks::place_that_notices(const ClassFamily& family, const NewChild& child,
                                           const ClassFamily& child_family) {
  for (Look& look : looks_)
    if (notices(look, child, child_family) && may_look_at(look, family, child))
      return index_.place_of(look.access.expression);
  return {};
}

bool ChildLooks::notices(Look& look, const NewChild& child, const ClassFamily& child_family) {
  for (const Answer& known : look.answers)
    if (are_alike(known.child, child, known.asked)) return known.notices;
  ChildFlow flow(index_, child, child_family, look.access.deep);
  const bool found = flow.notices(look.access);
  look.answers.push_back({flow.asked(), child, found});
  return found;
}

bool ChildLooks::may_look_at(Look& look, const ClassFamily& family, const NewChild& child) {
  if (!look.receiver) look.receiver = receiver_of(look.access);
  return look.receiver->any || (look.receiver->from_outside && !child.in_part) ||
         have_common(look.receiver->classes, family.classes);
}

Receiver ChildLooks::receiver_of(const ChildAccess& access) {
  const Node type = access.expression.around("class_definition");
  const bool own = access.module.text() == "self" || access.module.text() == "super()";
  if (!access.module || access.deep) return {true, false, {}};
  if (own && type) return {false, false, {name_of(type)}};
  return receiver_of_look(access.module, index_);
}

} // namespace model_validator::fixes
