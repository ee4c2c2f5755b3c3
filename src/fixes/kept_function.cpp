#include "fixes/calls_in_source.h"
#include "fixes/drafts.h"
#include "fixes/given_functions.h"
#include "validators/suggestions/functional_modules.h"
#include "validators/suggestions/module_names.h"
#include "validators/suggestions/op_family.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// A class of torch that does without arguments what the function does with only a tensor.
const NnFunction* class_without_arguments(const std::string& operation) {
  const NnFunction* type = find_nn_function(operation);
  const bool asks = type && std::ranges::any_of(type->arguments, [](auto each) {
                      return each.starts_with('*') || each.starts_with('-');
                    });
  return asks ? nullptr : type;
}

/// Whether a name means torch's function for an operation.
bool is_function(const Node& value, const std::string& operation, const Imports& imports) {
  if (!value.is("attribute") && !value.is("identifier")) return false;
  const std::string full = imports.resolve(value.text());
  return full.starts_with("torch.") && !full.ends_with('_') &&
         op_family(last_part(full)) == operation;
}

/// The functions of torch that run an operation on a tensor alone, as the draft's file calls them.
std::string functions_of_torch(const std::string& operation, Draft& draft) {
  constexpr auto& twice = word_array<"celu hardshrink relu selu sigmoid tanh">;
  const std::string of_nn = imported(draft, {"torch.nn", "functional"}) + '.' + operation;
  if (!contains(twice, operation)) return "is " + of_nn;
  return "in (" + of_nn + ", " + imported(draft, {"", "torch"}) + '.' + operation + ')';
}

/// `F.gelu` of `F.gelu`, and of `F.gelu if fast else slow_gelu`.
std::vector<Node> functions_given(const Node& value, const std::string& operation,
                                  const Imports& imports) {
  if (is_given(value) || is_function(value, operation, imports)) return {value};
  if (!value.is("conditional_expression")) return {};
  std::vector<Node> found = {value.children().front(), value.children().back()};
  std::erase_if(found, [&](const Node& each) { return !is_function(each, operation, imports); });
  return found;
}

/// Those that another function returns, or a table holds.
std::vector<NamedFunction> functions_returned(const Node& value, const std::string& operation,
                                              PythonFile& file, PlannedFiles& files) {
  return functions_given_by(value, file, files, [&](const Node& name, const PythonFile& there) {
    return is_function(name, operation, there.imports());
  });
}

/// The functions that an attribute of a class is given, where nothing but the call uses it.
std::vector<NamedFunction> functions_kept(const Node& type, const std::string& attribute,
                                          const std::string& operation, PythonFile& file,
                                          PlannedFiles& files) {
  std::vector<NamedFunction> found;
  const auto made = assignments_of(type, attribute);
  if (!is_only_called(attribute, type) || !is_called_once_a_run(attribute, type)) return {};
  for (const Node& each : made) {
    const Node value = each.field("right");
    const auto given = functions_given(value, operation, file.imports());
    if (!given.empty() && !may_hold_module(each)) return {};
    for (const Node& name : given) found.push_back({&file, name});
    if (!given.empty()) continue;
    const auto returned = functions_returned(value, operation, file, files);
    found.insert(found.end(), returned.begin(), returned.end());
  }
  return found;
}

/// `copy.deepcopy(ACT[name])` where a table holds what is a module now: each class has its own.
std::vector<Draft> own_copies(const Node& type, const std::string& attribute,
                              const std::string& operation, PythonFile& file, PlannedFiles& files) {
  std::vector<Draft> copies;
  for (const Node& each : assignments_of(type, attribute)) {
    const Node value = each.field("right");
    if (!value.is("subscript") || functions_returned(value, operation, file, files).empty())
      continue;
    Draft& copy = copies.emplace_back();
    copy.file = &file;
    copy.edits = {{value.begin(), value.end(), copy_of(std::string(value.text()), copy), 0}};
  }
  return copies;
}

TextEdit module_in_place(const NamedFunction& kept, const std::string& module,
                         const std::string& operation, Draft& draft) {
  if (kept.file != draft.file) throw Refusal{"functions of several files are kept there"};
  if (is_given(kept.name))
    return where_given(kept.name, module, functions_of_torch(operation, draft));
  return {kept.name.begin(), kept.name.end(), module, 0};
}

} // namespace

std::optional<Draft> replace_kept_function(const Rewrite& rewrite, Diagnostic& finding,
                                           PlannedFiles& files) {
  const SourceCall& call = rewrite.calls.front();
  PythonFile& file = files.file_of(call);
  const NnFunction* type = class_without_arguments(rewrite.operation);
  const std::vector<Node> expressions = expressions_of(file, call);
  for (const Node& node : expressions) {
    const MethodOrReason found = type ? method_of(node) : MethodOrReason();
    if (!found.method) continue;
    const std::string attribute = attribute_called(node, found.method->self);
    const Node owner = found.method->type;
    if (attribute.empty()) continue;
    const auto& functions =
        files.kept_functions(file, {owner.begin(), attribute, rewrite.operation}, [&] {
          return functions_kept(owner, attribute, rewrite.operation, file, files);
        });
    if (functions.empty()) continue;
    files.site_in(file, owner); // throws where a module may not be an attribute
    if (std::ranges::any_of(functions, is_given, &NamedFunction::name) &&
        !calls_one_given(expressions))
      throw Refusal{not_distinguished};
    Draft draft{functions.front().file};
    const std::string module = imported(draft, {"torch", "nn"}) + '.' + type->class_name + "()";
    draft.touched = {{Touched::Kind::attribute, attribute, owner}};
    for (const NamedFunction& each : functions)
      draft.edits.push_back(module_in_place(each, module, rewrite.operation, draft));
    draft.also = own_copies(owner, attribute, rewrite.operation, file, files);
    propose(finding,
            "keep a module: " + assignment(attribute, module) + in_init_of(name_of(owner)));
    return draft;
  }
  return std::nullopt;
}

std::vector<Operation> calls_of_kept_function(const Rewrite& rewrite, const PythonFile& file) {
  std::vector<Operation> found;
  for (const Node& call : expressions_of(file, rewrite.calls.front())) {
    const Node kept = only_function_kept(call.field("function"));
    if (!kept || !is_function(kept, rewrite.operation, file.imports())) continue;
    found.push_back({Operation::Form::function, call, rewrite.operation,
                     file.imports().resolve(kept.text()), false});
  }
  return found;
}

} // namespace model_validator::fixes
