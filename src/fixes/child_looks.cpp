#include "fixes/child_looks.h"

#include "fixes/child_words.h"
#include "fixes/function_references.h"
#include "fixes/nn_classes.h"
#include "fixes/receivers.h"
#include "fixes/scope.h"

#include <filesystem>

namespace model_validator::fixes {
namespace {

using Value = ChildValue;
using Kind = Value::Kind;

const Value module{Kind::child, {}};
const Value named_child{Kind::tuple, {{Kind::name, {}}, module}};
const Value child_at_path{Kind::tuple, {{Kind::path, {}}, module}};

/// What a method of modules yields.
std::optional<Value> yielded_by(std::string_view method) {
  if (method == "children" || method == "modules") return Value{Kind::many, {module}};
  if (method == "named_children") return Value{Kind::many, {named_child}};
  if (method == "named_modules") return Value{Kind::many, {child_at_path}};
  return std::nullopt;
}

/// Finds the looks of one file.
class Looks {
public:
  Looks(SourceIndex& index, const Node& root, std::vector<ChildLook>& looks)
      : index_(index), root_(root), looks_(looks),
        file_(std::filesystem::path(index.path_of(root)).filename().string()) {}

  void find() {
    for (const Node& call : all_of(root_, "call")) {
      const Node callee = call.field("function");
      if (!callee.is("attribute")) continue;
      const std::string_view method = callee.field("attribute").text();
      if (const auto value = yielded_by(method))
        add(call, callee.field("object"), method == "modules" || method == "named_modules",
            [&](ChildFlow& flow) { flow.pass_on(call, *value); });
      else if (method == "apply" && is_given_a_function(call))
        add(call, callee.field("object"), true, [&](ChildFlow& flow) {
          flow.call_with_child(call.field("arguments").children().front());
        });
    }
    for (const Node& attribute : all_of(root_, "attribute"))
      if (attribute.field("attribute").text() == "_modules")
        add(attribute, attribute.field("object"), false, [&](ChildFlow& flow) {
          flow.pass_on(attribute, {Kind::mapping, named_child.parts});
        });
  }

private:
  template <typename Follow>
  void add(const Node& look, const Node& receiver, bool is_deep, Follow follow) {
    const auto demands = [&](ChildFlow::Child child) -> std::optional<ChildDemands> {
      ChildDemands asked;
      ChildFlow flow(index_, asked, std::string(receiver.text()), child);
      try {
        follow(flow);
        return asked;
      } catch (const Noticed& n) {
        return std::nullopt;
      }
    };
    ChildLook found{'`' + std::string(look.text().substr(0, 60)) + "` in line " +
                        std::to_string(look.first_line()) + " of `" + file_ + '`',
                    Receiver(), demands(ChildFlow::Child::any), std::nullopt};
    if (found.demands == ChildDemands()) return;
    found.of_copies = demands(ChildFlow::Child::copy);
    const bool own = receiver.text() == "self" || receiver.text() == "super()";
    const Node type = look.around("class_definition");
    if (is_deep)
      found.receiver.any = true;
    else if (own && type)
      found.receiver.classes = {name_of(type)};
    else
      found.receiver = receiver_of_look(receiver, index_);
    const Receiver& known = found.receiver;
    if (known.any || known.from_outside || !known.classes.empty())
      looks_.push_back(std::move(found));
  }

  /// `net.apply(init)`, unlike `Function.apply(x)`.
  bool is_given_a_function(const Node& call) const {
    const auto arguments = call.field("arguments").children();
    if (arguments.size() != 1) return false;
    const Node& given = arguments.front();
    if (given.is("lambda")) return root_.source().find("pandas") == std::string::npos;
    if (given.is("call")) return called_name(given) == "partial";
    return (given.is("identifier") || given.is("attribute")) &&
           !functions_named_by(given, index_).empty();
  }

  SourceIndex& index_;
  Node root_;
  std::vector<ChildLook>& looks_;
  std::string file_;
};

bool has_any(const std::set<std::string>& parts, const std::string& text) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return text.find(part) != std::string::npos; });
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
           has_any(demands.parts, child.name) || (demands.mode && depends_on_mode(child.type)) ||
           (demands.leaf && child.is_list) || (demands.sibling && child.is_first));
}

} // namespace

std::vector<ChildLook> looks_at_children(SourceIndex& index) {
  std::vector<ChildLook> looks;
  for (const Node& root : index.roots_with({"children()", "named_children(", "modules()",
                                            "named_modules(", "._modules", ".apply("}))
    Looks(index, root, looks).find();
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
