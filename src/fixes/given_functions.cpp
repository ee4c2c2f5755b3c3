#include "fixes/given_functions.h"

#include "fixes/call_arguments.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace model_validator::fixes {
namespace {

constexpr std::array handed_on = {"return_statement", "conditional_expression", "pair"};

/// A call with a tensor and nothing else.
bool takes_one(const Node& call) {
  const auto arguments = arguments_of(call);
  return arguments && arguments->size() == 1 && arguments->front().name.empty();
}

} // namespace

bool is_only_called(std::string_view attribute, const Node& type) {
  return std::ranges::all_of(type.tree().root().all("attribute"), [&](const Node& use) {
    if (use.field("attribute").text() != attribute || !may_belong_to(use, type)) return true;
    const Node around = use.parent();
    if (around.is("assignment")) return around.field("left") == use;
    return around.is("call") && around.field("function") == use && takes_one(around);
  });
}

namespace {

/// Whether a class keeps what the call of a function returns, or a table holds, and calls it.
bool keeps_result(const Node& use) {
  const Node result = use.parent();
  const bool is_result = (result.is("call") && result.field("function") == use) ||
                         (result.is("subscript") && result.field("value") == use);
  const Node made = result.parent();
  if (!is_result || !made.is("assignment")) return false;
  const Node left = made.field("left");
  const Node type = use.around("class_definition");
  return type && left.is("attribute") && made.field("right") == result && may_hold_module(made) &&
         is_only_called(left.field("attribute").text(), type);
}

/// Of an import under its own name, or of the definition.
bool is_known_otherwise(const Node& use) {
  const Node around = use.parent();
  if (around.is("dotted_name")) return !around.parent().is("aliased_import");
  if (around.is("assignment"))
    return around.field("left") == use && around.parent().parent().is("module");
  return around.is("function_definition") && around.field("name") == use;
}

bool are_results_kept(const std::string& function, SourceIndex& index) {
  for (const Node& root : index.roots_naming(function))
    for (const Node& use : root.identifiers(function))
      if (!is_known_otherwise(use) && !keeps_result(use)) return false;
  return true;
}

/// The function of a name at the top of a file, or the table that it stands for.
Node defined_at_top(const Node& root, std::string_view name) {
  for (const Node& statement : root.children()) {
    const Node definition = undecorated(statement);
    if (definition.is("function_definition") && name_of(definition) == name) return definition;
    for (const Node& made : statement.children())
      if (made.is("assignment") && made.field("left").text() == name &&
          made.field("right").is("dictionary"))
        return made.field("right");
  }
  return {};
}

/// What an imported name stands for.
NamedFunction imported_giver(const std::string& full, PlannedFiles& files) {
  const std::string name = last_part(full);
  for (const Node& root : files.index().roots_naming(name)) {
    const std::string path = files.index().path_of(root);
    if (!is_defined_in(full, path) || !defined_at_top(root, name)) continue;
    PythonFile& file = files.file_at(path);
    return {&file, defined_at_top(file.root(), name)};
  }
  return {};
}

/// The function that a call names, or the table that a subscript reads.
NamedFunction giver_of(const Node& value, PythonFile& file, PlannedFiles& files) {
  const Node name = value.field(value.is("call") ? "function" : "value");
  if (!name.is("identifier")) return {};
  const std::string full = file.imports().resolve(name.text());
  if (!full.empty()) return imported_giver(full, files);
  const Node found = defined_at_top(file.root(), name.text());
  return found.is("dictionary") == value.is("subscript") ? NamedFunction{&file, found}
                                                         : NamedFunction();
}

/// Where names stand that a function returns, or that a table holds.
std::vector<Node> parts_that_give(const Node& giver) {
  return giver.is("dictionary") ? std::vector{giver} : giver.all("return_statement");
}

} // namespace

bool is_defined_in(const std::string& full, const std::string& path) {
  const std::filesystem::path file(path);
  const std::string stem = file.stem().string();
  const std::string module = stem == "__init__" ? file.parent_path().filename().string() : stem;
  const std::string package = full.substr(0, full.rfind('.'));
  return last_part(package) == module;
}

std::vector<NamedFunction>
functions_given_by(const Node& value, PythonFile& file, PlannedFiles& files,
                   const std::function<bool(const Node&, const PythonFile&)>& is_wanted) {
  std::vector<NamedFunction> found;
  if (!value.is("call") && !value.is("subscript")) return found;
  const NamedFunction giver = giver_of(value, file, files);
  if (!giver.name) return found;
  for (const Node& part : parts_that_give(giver.name))
    for (const char* type : {"attribute", "identifier"})
      for (const Node& each : part.all(type))
        if (contains(handed_on, each.parent().type()) && is_wanted(each, *giver.file))
          found.push_back({giver.file, each});
  const Node name = value.field(value.is("call") ? "function" : "value");
  const std::string full = file.imports().resolve(name.text());
  const std::string own(full.empty() ? std::string(name.text()) : last_part(full));
  if (!found.empty() && !are_results_kept(own, files.index())) found.clear();
  return found;
}

bool is_called_once_a_run(std::string_view attribute, const Node& type) {
  std::vector<Node> calls;
  for (const Node& use : type.all("attribute"))
    if (use.field("attribute").text() == attribute && use.parent().is("call")) calls.push_back(use);
  for (auto one = calls.begin(); one != calls.end(); ++one)
    for (auto other = std::next(one); other != calls.end(); ++other)
      if (one->around("function_definition") == other->around("function_definition") &&
          !are_alternatives(*one, *other))
        return false;
  return true;
}

bool is_bound_in_function(std::string_view name, const Node& node) {
  return std::ranges::any_of(node.around("function_definition").identifiers(name),
                             [](const Node& use) { return binds(use) && !is_named_field(use); });
}

bool is_given(const Node& value) {
  return value.is("identifier") && parameter_of(value.around("function_definition"), value.text());
}

bool calls_one_given(const std::vector<Node>& expressions) {
  return std::ranges::count_if(expressions, [](const Node& call) {
           const Node callee = call.field("function");
           const Node owner = callee.is("attribute") ? owner_of(callee.field("object")) : Node();
           return std::ranges::any_of(
               assignments_of(owner, callee.field("attribute").text()),
               [](const Node& each) { return is_given(each.field("right")); });
         }) == 1;
}

Node only_function_kept(const Node& callee) {
  const Node owner = callee.is("attribute") ? owner_of(callee.field("object")) : Node();
  const auto made = assignments_of(owner, callee.field("attribute").text());
  if (made.empty()) return {};
  const Node kept = made.front().field("right");
  const bool is_name = kept.is("identifier") || kept.is("attribute");
  const std::string_view first = kept.text().substr(0, kept.text().find('.'));
  const bool is_only = std::ranges::all_of(made, [&](const Node& each) {
    return each.field("right").text() == kept.text() && !is_bound_in_function(first, each);
  });
  return is_name && is_only ? kept : Node();
}

TextEdit where_given(const Node& parameter, const std::string& module, const std::string& when) {
  const std::string text = module + " if " + std::string(parameter.text()) + ' ' + when + " else ";
  return {parameter.begin(), parameter.begin(), text, 0};
}

std::string attribute_called(const Node& call, const std::string& self) {
  const Node callee = call.field("function");
  if (!callee.is("attribute") || callee.field("object").text() != self || !takes_one(call))
    return {};
  return std::string(callee.field("attribute").text());
}

} // namespace model_validator::fixes
