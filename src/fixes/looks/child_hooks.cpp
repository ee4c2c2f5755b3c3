#include "fixes/looks/child_flow.h"
#include "fixes/looks/child_words.h"
#include "fixes/looks/function_references.h"
#include "fixes/python/scope.h"

#include <model_validator/data/contains.h>

namespace model_validator::fixes {
namespace {

using Kind = ChildValue::Kind;

constexpr std::array gives_entries = {"append", "extend", "insert", "appendleft", "put"};
constexpr int deepest_call = 3;

bool is_local(const Node& variable) {
  return variable.is("identifier") && is_assigned_in_its_scope(variable);
}

bool returns_values(const Node& function) {
  for (const Node& each : function.all("return_statement"))
    if (!each.children().empty() && !each.children().front().is("none")) return true;
  return false;
}

/// Looks for what a function that hooks a module does beyond looking: it changes what the module
/// computes, or counts how often it is run.
class HookFunction {
public:
  explicit HookFunction(SourceIndex& index) : index_(index) {}

  /// @returns what it gives entries to
  std::vector<Node> check(const Node& function) {
    if (returns_values(function)) throw Noticed{function};
    check_parts(function, deepest_call);
    return std::move(given_entries_);
  }

  void check_parts(const Node& function, int depth) {
    if (depth == 0 || only_tells(function.around("class_definition"))) return;
    const Node body = function.field("body");
    for (const Node& each : body.all("augmented_assignment"))
      if (!is_local(each.field("left"))) throw Noticed{each};
    for (const Node& each : body.all("assignment"))
      if (const Node target = each.field("left"); target.is("subscript"))
        check_entry(target, function);
    for (const Node& call : body.all("call")) check_call(call, depth);
  }

private:
  /// Of a number of entries, or of what the hook is given.
  void check_entry(const Node& target, const Node& function) {
    const auto parameters = parameters_of(function);
    const std::string_view changed = target.field("value").text();
    if (target.field("subscript").text().find("len(") != std::string_view::npos ||
        contains(parameters, changed))
      throw Noticed{target};
    given_entries_.push_back(target.field("value"));
  }

  void check_call(const Node& call, int depth) {
    const Node callee = call.field("function");
    const std::string_view name = called_name(call);
    if (is_output(call)) return;
    if (callee.is("attribute") && !is_local(callee.field("object")) &&
        (contains(gives_entries, name) || (name.ends_with('_') && !name.ends_with("__"))))
      throw Noticed{call};
    const bool own = callee.is("identifier") || callee.field("object").text() == "self";
    if (!own) return;
    for (const Node& each : functions_named_by(callee, index_)) check_parts(each, depth - 1);
  }

  /// Whether an object gives nothing back of what it keeps, but tells people: none of its methods
  /// returns a value, and nothing else reads what it has.
  bool only_tells(const Node& type) {
    if (!type || returns_values(type)) return false;
    std::set<std::string> kept;
    for (const Node& each : type.all("augmented_assignment"))
      kept.insert(std::string(last_name_of(each.field("left"))));
    for (const Node& each : type.all("assignment"))
      if (each.field("left").is("subscript"))
        kept.insert(std::string(last_name_of(each.field("left").field("value"))));
    for (const Node& call : type.all("call"))
      if (contains(gives_entries, called_name(call)))
        kept.insert(std::string(last_name_of(call.field("function").field("object"))));
    for (const Node& use : index_.uses_of(name_of(type)))
      for (const Node& each : use.tree().root().all("attribute"))
        if (&each.source() != &type.source() || !type.contains(each))
          if (each.field("object").text() != "self" &&
              kept.count(std::string(last_name_of(each))) != 0)
            return false;
    return true;
  }

  SourceIndex& index_;
  std::vector<Node> given_entries_;
};

/// Whether the value of a lambda is for people, or nothing.
bool is_of_no_use(const Node& value) { return value.is("none") || is_output(value); }

} // namespace

void ChildFlow::hook(const Node& function) {
  if (function.is("lambda")) {
    if (!is_of_no_use(function.field("body"))) throw Noticed{function};
    return;
  }
  const auto functions = functions_named_by(function, index_);
  if (functions.empty()) throw Noticed{function};
  for (const Node& each : functions) {
    const bool constructor = name_of(each) == "__init__";
    const Node run = constructor ? find_method(each.around("class_definition"), "__call__") : each;
    std::vector<Node> mappings;
    try {
      mappings = HookFunction(index_).check(run ? run : each);
    } catch (const Noticed&) {
      if (!is_done_to_both()) throw;
    }
    // By its own name, a copy has what its first had.
    if (is_done_to_both() && !mappings.empty()) throw Noticed{mappings.front()};
    for (const Node& mapping : mappings) track(mapping, {Kind::mapping, {{}, {}}});
  }
}

} // namespace model_validator::fixes
