#include "fixes/calls_in_source.h"
#include "fixes/drafts.h"
#include "fixes/function_calls.h"
#include "fixes/given_functions.h"
#include "fixes/iteration_call.h"
#include "fixes/module_call.h"
#include "validators/suggestions/functional_modules.h"
#include "validators/suggestions/module_names.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// Where an operation is run from: a loop over modules, or just a method.
struct Caller {
  std::optional<ModuleLoop> loop;
  Method method;
};

Caller caller_of(const Node& node, const PythonFile& file, PlannedFiles& files) {
  auto loop = files.module_loop_around(node, file);
  Method method = method_around(loop ? loop->statement : node);
  return {std::move(loop), std::move(method)};
}

/// Drafts the call of one operation.
class OperationUse {
public:
  OperationUse(const Rewrite& rewrite, const Operation& operation, Caller caller, PythonFile& file,
               PlannedFiles& files)
      : rewrite_(rewrite), operation_(operation), files_(files), loop_(std::move(caller.loop)),
        method_(std::move(caller.method)), change_(file.change_of(method_.type)), draft_{&file} {
    files.place_in(method_.type, draft_);
    draft_.operation = operation.node.key();
  }

  /// The classes of a package compute a new tensor where `x += y` writes into `x`.
  void refuse_what_others_see() {
    if (operation_.form != Operation::Form::augmented || files_.writes_classes()) return;
    const std::string seen =
        seen_elsewhere(operation_.node, files_.names_in(*draft_.file, method_.function),
                       draft_.file->imports(), rewrite_);
    if (seen.empty() && !draft_.file->mixes_dtypes()) return;
    if (seen.empty())
      throw Refusal{
          "it keeps the dtype of what it writes into, and its file computes in several dtypes"};
    change_.refused.emplace(draft_.operation, seen);
    throw Refusal{seen};
  }

  Draft draft(Diagnostic& finding) {
    if (loop_ && !is_filled_before(*loop_, method_, draft_.site)) throw Refusal{is_made_later};
    // Tried with a name first: a refusal must not leave one taken.
    if (const ModuleCall tried = call_by(method_.self + '.' + rewrite_.attribute);
        !tried.refusal.empty())
      throw Refusal{tried.refusal};
    const auto [attribute, fresh] =
        files_.attribute_for(*draft_.file, method_.type, operation_.node,
                             loop_ ? plural(rewrite_.operation) : rewrite_.attribute);
    const std::string value = loop_ ? in_turn(attribute) : in_place(attribute);
    touch_function();
    touch_class(call_by(attribute).constructor);
    draft_.touched.push_back({Touched::Kind::written, attribute, {}});
    if (!draft_.module_class.empty())
      draft_.touched.push_back({Touched::Kind::written, draft_.module_class, {}});
    draft_.assignments = {attribute + " = " + value};
    if (fresh) change_.assignments.push_back(draft_.assignments.front());
    propose(finding, "use a module: " + assignment(attribute, value) + in_init_of(owner_name()) +
                         ", and call it here");
    return std::move(draft_);
  }

private:
  std::string owner_name() const {
    return is_copied() ? draft_.file->class_made_of(method_.function) : name_of(method_.type);
  }

  ModuleCall call_by(const std::string& callee) const {
    return module_call(operation_,
                       {rewrite_, files_.compiles(*draft_.file), files_.writes_classes(),
                        !is_copied() && files_.source().shares_mode(method_.type), method_.self,
                        callee});
  }

  /// Whether a class is made of the function.
  bool is_copied() const { return method_.type == method_.function; }

  /// `relu` and `F` of `F.relu(x)`, or `act` of `self.act(x)`, which other code may give another
  /// meaning.
  void touch_function() {
    const Node callee = operation_.node.field("function");
    if (!callee || callee.is("call") || operation_.form == Operation::Form::unpacking) return;
    const Node kept = only_function_kept(callee);
    if (kept)
      draft_.touched.push_back({Touched::Kind::value, std::string(last_name_of(callee)),
                                owner_of(callee.field("object"))});
    const std::string_view called = (kept ? kept : callee).text();
    const std::string first(called.substr(0, called.find('.')));
    const std::string last(last_part(called));
    draft_.touched.push_back({Touched::Kind::function, last, {}});
    if (first != last && !draft_.file->imports().resolve(first).empty())
      draft_.touched.push_back({Touched::Kind::function, first, {}});
  }

  /// `ReLU` of `nn.ReLU()`.
  void touch_class(const std::string& constructor) {
    constexpr std::string_view torch = "nn.";
    if (!constructor.starts_with(torch)) return;
    const std::string name = constructor.substr(torch.size(), constructor.find('(') - torch.size());
    draft_.touched.push_back({Touched::Kind::function, name, {}});
  }

  std::string in_place(const std::string& attribute) {
    const ModuleCall made = call_by(method_.self + '.' + attribute);
    draft_.edits = made.edits;
    return files_.constructor_of(made, draft_);
  }

  std::string in_turn(const std::string& attribute) {
    IterationCall turn =
        call_per_iteration(*loop_, rewrite_.operation, attribute, method_, operation_.node,
                           *draft_.file, files_.compiles(*draft_.file));
    const ModuleCall made = call_by(turn.callee);
    draft_.edits = std::move(turn.edits);
    draft_.edits.insert(draft_.edits.end(), made.edits.begin(), made.edits.end());
    return one_per_iteration(files_.constructor_of(made, draft_), *loop_, draft_);
  }

  const Rewrite& rewrite_;
  const Operation& operation_;
  PlannedFiles& files_;
  std::optional<ModuleLoop> loop_;
  Method method_;
  ClassChange& change_;
  Draft draft_;
};

/// `mask[0]` of `mask[0] = 1`, where that is what ran.
std::string part_written_at(const SourceCall& call, std::string_view operation,
                            const PythonFile& file) {
  constexpr auto& writes = word_array<"copy fill index_put">;
  if (!contains(writes, operation)) return {};
  for (const Node& each : expressions_of(file, call))
    if (each.is("assignment") && each.field("left").is("subscript"))
      return std::string(each.field("left").text());
  return {};
}

/// Named for the function where the operator is one of several that it runs.
Rewrite named_for(const Operation& operation, Rewrite rewrite) {
  if (!runs_among_others(operation.name, rewrite.operation)) return rewrite;
  rewrite.operation = rewrite.attribute = operation.name;
  rewrite.class_name = class_of(operation.name);
  return rewrite;
}

/// The loop that runs the operations of a line, if one does. @throws Refusal where several do
std::optional<ModuleLoop> loop_of_all(const std::vector<Operation>& candidates,
                                      const PythonFile& file, PlannedFiles& files) {
  const auto loop = files.module_loop_around(candidates.front().node, file);
  const bool is_one = std::ranges::all_of(candidates, [&](const Operation& each) {
    const auto other = files.module_loop_around(each.node, file);
    return other ? loop && other->statement == loop->statement : !loop;
  });
  if (!is_one) throw Refusal{not_distinguished};
  return loop;
}

/// The function stays, and the class that is made of it has the module.
Draft use_module_in_copy(const Node& function, const Rewrite& rewrite,
                         const std::vector<Operation>& candidates, Diagnostic& finding,
                         PlannedFiles& files) {
  const SourceCall call = within_call(function, rewrite, files);
  PythonFile& file = files.file_of(call);
  const Operation& operation = choose(candidates, call);
  const auto loop = loop_of_all(candidates, file, files);
  const Rewrite named = named_for(operation, rewrite);
  OperationUse use(named, operation, {loop, {function, function, "self"}}, file, files);
  use.refuse_what_others_see();
  Draft draft = use.draft(finding);
  draft.also = calls_of_copy(function, file, rewrite, candidates.size(), loop, files);
  for (const Draft& each : draft.also)
    draft.touched.insert(draft.touched.end(), each.touched.begin(), each.touched.end());
  return draft;
}

/// The same, also of a function that torch compiles, whose dtypes under autocast are its own.
Draft use_module_behind(const Node& function, const Rewrite& rewrite,
                        const std::vector<Operation>& candidates, Diagnostic& finding,
                        PlannedFiles& files) {
  const Rewrite known = with_call_of_compiled(rewrite, files);
  Draft draft = use_module_in_copy(function, known, candidates, finding, files);
  if (known.calls.size() > rewrite.calls.size())
    draft.doubt = "torch compiles its function, which has other dtypes under `torch.autocast`";
  return draft;
}

/// @throws Refusal where there are none
std::vector<Operation> expect_calls_of_kept(const Rewrite& rewrite, const PythonFile& file) {
  auto calls = calls_of_kept_function(rewrite, file);
  const bool is_in_hook = rewrite.operation == "_weight_norm";
  if (calls.empty()) throw Refusal{is_in_hook ? "it is in torch's own code" : no_such_call};
  return calls;
}

} // namespace

Draft use_module(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files) {
  const SourceCall& call = rewrite.calls.front();
  PythonFile& file = files.file_of(call);
  auto candidates = operations_of(rewrite, file);
  if (const std::string part = part_written_at(call, rewrite.operation, file); !part.empty())
    throw Refusal{"it writes into `" + part + "`, which a module would not"};
  if (candidates.empty()) {
    if (auto kept = replace_kept_function(rewrite, finding, files)) return *std::move(kept);
    candidates = expect_calls_of_kept(rewrite, file);
  }
  const Node& first = candidates.front().node;
  const auto loop = files.module_loop_around(first, file);
  if (const Node function = function_to_copy(loop ? loop->statement : first, rewrite))
    return use_module_behind(function, rewrite, candidates, finding, files);
  // A refusal for where the operation stands says more than one for how often it runs.
  caller_of(first, file, files);
  const Operation& operation = choose(candidates, call);
  Caller caller = caller_of(operation.node, file, files);
  const bool adds_all = candidates.size() == 1 && operation.form == Operation::Form::sum;
  if (!caller.loop && !adds_all) expect_one_run(candidates.size(), call);
  const Rewrite named = named_for(operation, rewrite);
  OperationUse use(named, operation, std::move(caller), file, files);
  use.refuse_what_others_see();
  return use.draft(finding);
}

} // namespace model_validator::fixes
