#include "fixes/call_arguments.h"
#include "fixes/calls_in_source.h"
#include "fixes/drafts.h"
#include "fixes/written_in_place.h"
#include "validators/suggestions/module_names.h"

namespace model_validator::fixes {
namespace {

/// The call without its device: a buffer moves with its module.
std::string constant_call(const Node& call) {
  const auto arguments = arguments_of(call);
  if (!arguments) throw Refusal{"its arguments are starred"};
  std::string text;
  for (const GivenArgument& argument : *arguments) {
    if (argument.name == "device") continue;
    const bool dtype = argument.name == "dtype" && argument.value.text().starts_with("torch.");
    if (!dtype && !is_literal(argument.value))
      throw Refusal{"its source does not give it constant arguments"};
    text += (text.empty() ? "" : ", ") + std::string(argument.node.text());
  }
  return std::string(call.field("function").text()) + '(' + text + ')';
}

} // namespace

Draft make_buffer(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files) {
  const SourceCall& call = rewrite.calls.front();
  PythonFile& file = files.file_of(call);
  const auto candidates = operations_of(rewrite, file);
  // A refusal for where the call stands says more than one for how often it runs.
  if (!candidates.empty()) method_around(candidates.front().node);
  const Operation& operation = choose(candidates, call);
  expect_one_run(candidates.size(), call);
  const Method method = method_around(operation.node);
  if (operation.form != Operation::Form::function)
    throw Refusal{"it is modelled on another tensor"};
  const std::string expression = constant_call(operation.node);
  if (is_written_or_stored(operation.node, method.function))
    throw Refusal{"it is written into, or stored, where each run has a new one"};
  Draft draft{&file};
  files.place_in(method.type, draft);
  const auto [name, fresh] =
      files.attribute_for(file, method.type, operation.node, rewrite.attribute);
  const std::string made =
      "register_buffer(\"" + name + "\", " + expression + ", persistent=False)";
  if (fresh) file.change_of(method.type).assignments.push_back(made);
  propose(finding, "make it once, as a buffer: `self." + made + '`' +
                       in_init_of(name_of(method.type)) + ", and use `self." + name + "` here");
  draft.edits = {{operation.node.begin(), operation.node.end(), method.self + '.' + name, 0}};
  draft.assignments = {made};
  return draft;
}

} // namespace model_validator::fixes
