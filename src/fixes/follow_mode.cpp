#include "fixes/call_arguments.h"
#include "fixes/calls_in_source.h"
#include "fixes/drafts.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// What the method around a call calls its instance; loops do not matter.
std::string instance_around(const Node& call) {
  const Node function = call.around("function_definition");
  return method_around(function ? function.field("body").children().front() : call).self;
}

/// The argument that says whether a function trains, `F.dropout(x, p, training)`; none where it is
/// left out.
const GivenArgument* mode_of(const std::vector<GivenArgument>& given) {
  constexpr std::size_t place = 2; // behind the tensor and the rate
  const auto named = std::ranges::find_if(
      given, [](const auto& each) { return each.name == "training" || each.name == "train"; });
  if (named != given.end()) return &*named;
  return given.size() > place && given[place].name.empty() ? &given[place] : nullptr;
}

} // namespace

Draft follow_mode(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files) {
  const SourceCall& call = rewrite.calls.front();
  PythonFile& file = files.file_of(call);
  const auto candidates = operations_of(rewrite, file);
  const Operation& operation = choose(candidates, call);
  const std::string mode = instance_around(operation.node) + ".training";
  const auto given = arguments_of(operation.node);
  if (operation.form != Operation::Form::function || !given || given->empty())
    throw Refusal{"its source does not show which arguments it is given"};
  Draft draft{&file};
  const GivenArgument* said = mode_of(*given);
  if (said && said->value.text() == mode)
    throw Refusal{"it follows the mode of its module already"};
  const std::size_t end = given->back().node.end();
  draft.edits = said ? std::vector<TextEdit>{{said->value.begin(), said->value.end(), mode, 0}}
                     : std::vector<TextEdit>{{end, end, ", training=" + mode, 0}};
  draft.doubt = "in evaluation it no longer drops anything, so that results change, as is intended";
  draft.is_beyond_proof = true;
  propose(finding, "pass `training=" + mode + "`");
  return draft;
}

} // namespace model_validator::fixes
