#include "fixes/child_looks.h"

#include "fixes/child_accesses.h"
#include "fixes/child_words.h"
#include "fixes/nn_classes.h"
#include "fixes/receivers.h"
#include "fixes/scope.h"

namespace model_validator::fixes {
namespace {

/// Finds the looks of one file.
class Looks {
public:
  Looks(SourceIndex& index, std::vector<ChildLook>& looks) : index_(index), looks_(looks) {}

  void add(const ChildAccess& access) {
    ChildLook found{index_.place_of(access.expression), Receiver(),
                    demands(access, ChildFlow::Child::any), std::nullopt};
    if (found.demands == ChildDemands()) return;
    found.of_copies = demands(access, ChildFlow::Child::copy);
    found.receiver = receiver_of(access);
    const Receiver& known = found.receiver;
    if (known.any || known.from_outside || !known.classes.empty())
      looks_.push_back(std::move(found));
  }

private:
  std::optional<ChildDemands> demands(const ChildAccess& access, ChildFlow::Child child) {
    ChildDemands asked;
    ChildFlow flow(index_, asked, std::string(access.module.text()), child);
    try {
      if (access.value.is(ChildValue::Kind::derived)) return std::nullopt;
      if (access.function)
        flow.call_with_child(access.function);
      else
        flow.pass_on(access.expression, access.value);
      return asked;
    } catch (const Noticed& n) {
      return std::nullopt;
    }
  }

  Receiver receiver_of(const ChildAccess& access) {
    const Node type = access.expression.around("class_definition");
    const bool own = access.module.text() == "self" || access.module.text() == "super()";
    if (!access.module || access.deep) return {true, false, {}};
    if (own && type) return {false, false, {name_of(type)}};
    return receiver_of_look(access.module, index_);
  }

  SourceIndex& index_;
  std::vector<ChildLook>& looks_;
};

bool has_any(const std::set<std::string>& parts, const std::string& text) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

bool begins_with_any(const std::set<std::string>& prefixes, const std::string& text) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return text.starts_with(prefix); });
}

bool have_common(const std::set<std::string>& one, const std::set<std::string>& other) {
  return std::any_of(one.begin(), one.end(),
                     [&](const std::string& each) { return other.count(each) != 0; });
}

/// The class, and those of torch's that it derives from.
std::set<std::string> classes_of(const NewChild& child) {
  constexpr std::array bases = {std::pair{"Dropout", "_DropoutNd"},
                                std::pair{"AlphaDropout", "_DropoutNd"},
                                std::pair{"FeatureAlphaDropout", "_DropoutNd"},
                                std::pair{"MaxPool", "_MaxPoolNd"},
                                std::pair{"AvgPool", "_AvgPoolNd"},
                                std::pair{"AdaptiveAvgPool", "_AdaptiveAvgPoolNd"},
                                std::pair{"AdaptiveMaxPool", "_AdaptiveMaxPoolNd"},
                                std::pair{"ReLU6", "Hardtanh"},
                                std::pair{"Upsampling", "Upsample"}};
  std::set<std::string> classes = {child.type};
  for (const auto& [type, base] : bases)
    if (child.type.starts_with(type)) classes.insert(base);
  if (child.is_list) classes.insert("ModuleList");
  return classes;
}

/// Whether it may have one of them: the user's class, one of torch's, or one that edits write.
bool has_any_attribute(const NewChild& child, const ClassFamily& family,
                       const std::set<std::string>& attributes) {
  if (!family.classes.empty()) return have_common(attributes, family.attributes);
  return std::any_of(attributes.begin(), attributes.end(), [&](const std::string& each) {
    return is_of_some_plain_module(each) &&
           nn_class_takes(child.type, each).value_or(each != "inplace");
  });
}

bool depends_on_mode(const std::string& type) {
  return type.find("Dropout") != std::string::npos || type == "RReLU";
}

bool meets(const NewChild& child, const ClassFamily& child_family, const ChildDemands& demands) {
  const auto classes = classes_of(child);
  return !(have_common(demands.types, classes) ||
           have_common(demands.types, child_family.classes) ||
           has_any(demands.type_parts, child.type) ||
           (child.is_list && has_any(demands.type_parts, "ModuleList")) ||
           has_any_attribute(child, child_family, demands.attributes) ||
           demands.names.count(child.name) != 0 || demands.names.count(child.copied) != 0 ||
           has_any(demands.parts, child.name) || begins_with_any(demands.prefixes, child.name) ||
           (demands.mode && depends_on_mode(child.type)) || (demands.leaf && child.is_list) ||
           (demands.sibling && child.is_first));
}

} // namespace

std::vector<ChildLook> looks_at_children(SourceIndex& index) {
  std::vector<ChildLook> looks;
  for (const Node& root : index.roots_with(texts_of_child_accesses()))
    for (const ChildAccess& access : child_accesses(root, index)) Looks(index, looks).add(access);
  return looks;
}

bool notices(const ChildLook& look, const ClassFamily& family, const NewChild& child,
             const ClassFamily& child_family) {
  const Receiver& receiver = look.receiver;
  if (!receiver.any && !(receiver.from_outside && !child.in_part) &&
      !have_common(receiver.classes, family.classes))
    return false;
  return !(look.demands && meets(child, child_family, *look.demands)) &&
         (child.copied.empty() || !(look.of_copies && meets(child, child_family, *look.of_copies)));
}

} // namespace model_validator::fixes
