#include "fixes/calls_in_source.h"
#include "fixes/drafts.h"
#include "fixes/module_words.h"
#include "validators/suggestions/module_names.h"

#include <set>

namespace model_validator::fixes {
namespace {

/// A trace keeps what several modules share under one of them. By what name another calls it is
/// what its line shows, where it calls but one of the attributes that its class is given.
std::string attribute_called(const PythonFile& file, const SourceCall& call) {
  if (!call.attribute.empty()) return call.attribute;
  std::set<std::string> names;
  for (const Node& node : expressions_of(file, call)) {
    const Node callee = node.field("function");
    const MethodOrReason found = callee.is("attribute") ? method_of(node) : MethodOrReason();
    const std::string name(callee.field("attribute").text());
    if (found.method && callee.field("object").text() == found.method->self &&
        !assignments_of(found.method->type, name).empty())
      names.insert(name);
  }
  if (names.size() != 1) throw Refusal{"the model does not record by what name a module calls it"};
  return *names.begin();
}

/// The method that a call stands in. A loop does not matter where every owner is given one.
Method method_of_call(const PythonFile& file, const SourceCall& call) {
  const auto calls = module_calls_at(file, call);
  if (calls.empty()) throw Refusal{"its line holds no such call"};
  const Node function = calls.front().around("function_definition");
  return method_around(function ? function.field("body").children().front() : calls.front());
}

bool is_shared(const Node& value) {
  return value.text().find("deepcopy(") == std::string_view::npos && !value.is("none");
}

} // namespace

Draft separate_owners(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files) {
  Draft draft;
  std::set<std::size_t> done;
  std::string all;
  for (SourceCall call : rewrite.calls) {
    PythonFile& file = files.file_of(call);
    call.attribute = attribute_called(file, call);
    if (draft.file && draft.file != &file)
      throw Refusal{"the modules that share it are defined in several files"};
    draft.file = &file;
    const Method method = method_of_call(file, call);
    const Node owner = method.type;
    const auto made = assignments_of(owner, call.attribute);
    if (made.empty()) throw Refusal{"`" + name_of(owner) + "` is not the class that receives it"};
    for (const Node& assigned : made) {
      const Node right = assigned.field("right");
      if (!is_shared(right) || !done.insert(right.begin()).second) continue;
      if (may_have_weights(right, file.imports()))
        draft.doubt = "it copies `" + std::string(right.text()) +
                      "`, which may have weights in another configuration";
      draft.touched.push_back({Touched::Kind::attribute, call.attribute, owner});
      const std::string copied = copy_of(std::string(right.text()), draft);
      draft.edits.push_back({right.begin(), right.end(), copied, 0});
      if (done.size() <= 3)
        all += (all.empty() ? "" : ", ") + assignment(call.attribute, copied) +
               in_init_of(name_of(owner));
    }
  }
  if (draft.edits.empty()) throw Refusal{"no assignment shares it"};
  propose(finding, "give each module that calls it one of its own: " + all);
  return draft;
}

} // namespace model_validator::fixes
