#include "fixes/looks/function_references.h"

#include "fixes/looks/child_words.h"
#include "fixes/python/imports.h"
#include "fixes/python/scope.h"

#include <filesystem>
#include <tuple>

namespace model_validator::fixes {
namespace {

constexpr std::size_t max_references = 80;
constexpr int max_reference_depth = 8;

bool is_method(const Node& function) {
  Node block = function.parent();
  if (block.is("decorated_definition")) block = block.parent();
  return block.parent().is("class_definition");
}

/// Whether a file may be the module that an import names: `utils` of `.utils.init`, or one of its
/// package.
bool may_be_of(const std::string& path, const std::string& module) {
  const std::filesystem::path file(path);
  const std::string last = module.substr(module.rfind('.') + 1);
  if (last.empty() || file.stem() == last) return true;
  for (const auto& part : file.parent_path())
    if (part == last) return true;
  return false;
}

class FunctionReferences {
public:
  explicit FunctionReferences(SourceIndex& index) : index_(index) {}

  /// @returns whether all that it may be are known
  bool add(const Node& expression) {
    if (depth_ >= max_reference_depth) return false;
    const auto key = std::make_tuple(&expression.source(), scope_of(expression).key(),
                                     std::string(expression.text()));
    if (!active_.insert(key).second) return true; // it is made of itself
    ++depth_;
    const bool known = find(expression);
    --depth_;
    active_.erase(key);
    return known && found_.size() <= max_references;
  }

  std::vector<Node> found() { return std::move(found_); }

private:
  bool find(const Node& expression) {
    if (expression.is("none")) return true;
    if (expression.is("parenthesized_expression")) return add(expression.children().front());
    if (expression.is("boolean_operator"))
      return add(expression.field("left")) && add(expression.field("right"));
    if (expression.is("conditional_expression"))
      return add(expression.children().front()) && add(expression.children().back());
    if (expression.is("call")) return find_in_call(expression);
    if (expression.is("attribute")) return add_defined(expression);
    if (!expression.is("identifier")) return false;
    return is_variable(expression) ? add_values(expression) : add_defined(expression);
  }

  /// `partial(init, x)`, or what a function returns.
  bool find_in_call(const Node& call) {
    const auto arguments = call.field("arguments").children();
    if (called_name(call) == "partial") return !arguments.empty() && add(arguments.front());
    std::vector<Node> makers;
    FunctionReferences references(index_);
    references.depth_ = depth_;
    if (!references.add(call.field("function"))) return false;
    for (const Node& maker : references.found())
      for (const Node& returned : maker.all("return_statement"))
        if (returned.children().empty() || !add(returned.children().front())) return false;
    return true;
  }

  static bool is_variable(const Node& name) {
    const Node scope = scope_of(name);
    if (!scope.is("function_definition")) return false;
    return parameter_of(scope, name.text()) ||
           (is_assigned_in_its_scope(name) && !defines(scope, name.text()));
  }

  static bool defines(const Node& scope, std::string_view name) {
    for (const Node& each : scope.field("body").all("function_definition"))
      if (name_of(each) == name) return true;
    return false;
  }

  /// What is assigned to a variable, and passed as it.
  bool add_values(const Node& name) {
    const Node scope = scope_of(name);
    bool any = false;
    for (const Node& each : scope.all("assignment")) {
      if (each.field("left").text() != name.text()) continue;
      any = true;
      const Node value = each.field("right");
      // `init = init or other`
      const bool own = value.is("boolean_operator") && value.field("left").text() == name.text();
      if (!add(own ? value.field("right") : value)) return false;
    }
    if (const Node parameter = parameter_of(scope, name.text()))
      return add_passed(parameter, scope);
    return any;
  }

  bool add_passed(const Node& parameter, const Node& function) {
    const std::string_view name = name_of_parameter(parameter).text();
    if (const Node fallback = parameter.field("value"); fallback && !add(fallback)) return false;
    bool any = false;
    for (const Node& use : index_.uses_of(name_of(function))) {
      const Node call = call_of(use);
      if (!call) continue;
      for (const Node& each : call.field("arguments").children()) {
        if (each.is("dictionary_splat")) return false;
        if (parameter_for(each, call, function) != name) continue;
        any = true;
        const Node given = each.is("keyword_argument") ? each.field("value") : each;
        if (given.text() != name && !add(given)) return false;
      }
    }
    return any || parameter.field("value");
  }

  bool add_defined(const Node& expression) {
    const std::string name(last_name_of(expression));
    const std::string full = index_.imports_of(expression).resolve(expression.text());
    const bool method = expression.is("attribute") && full.empty();
    std::vector<Node> all, likely;
    const auto consider = [&](const Node& function) {
      all.push_back(function);
      const bool same_file = &function.source() == &expression.source();
      if (full.empty() ? same_file : may_be_of(index_.path_of(function), module_of(full)))
        likely.push_back(function);
    };
    for (const Node& function : index_.functions_named(name))
      if (is_method(function) == method) consider(function);
    if (!method)
      for (const Node& type : index_.classes_named(name))
        if (const Node constructor = find_method(type, "__init__")) consider(constructor);
    const auto& chosen = likely.empty() ? all : likely;
    found_.insert(found_.end(), chosen.begin(), chosen.end());
    return !chosen.empty();
  }

  static std::string module_of(const std::string& full) {
    const auto dot = full.rfind('.');
    return dot == std::string::npos ? std::string() : full.substr(0, dot);
  }

  SourceIndex& index_;
  std::vector<Node> found_;
  int depth_ = 0;
  std::set<std::tuple<const std::string*, NodeKey, std::string>> active_; ///< in their functions
};

} // namespace

bool may_name(const Node& use, const Node& function, SourceIndex& index) {
  if (&use.source() == &function.source()) return true;
  const bool attribute = is_named_field(use);
  const bool constructor = name_of(function) == "__init__";
  const std::string full = index.imports_of(use).resolve((attribute ? use.parent() : use).text());
  if (is_method(function) && !constructor) return attribute && full.empty();
  if (full.empty()) return false; // its own, or an attribute of something else
  const auto dot = full.rfind('.');
  return may_be_of(index.path_of(function),
                   dot == std::string::npos ? std::string() : full.substr(0, dot));
}

std::vector<Node> calls_of(const Node& function, SourceIndex& index) {
  std::vector<Node> calls;
  if (!function) return calls;
  for (const Node& use : index.uses_of(name_of(function)))
    if (const Node call = call_of(use); call && may_name(use, function, index))
      calls.push_back(call);
  return calls;
}

std::vector<Node> functions_named_by(const Node& expression, SourceIndex& index) {
  FunctionReferences references(index);
  return references.add(expression) ? references.found() : std::vector<Node>();
}

} // namespace model_validator::fixes
