#include "fixes/call_arguments.h"
#include "fixes/calls_in_source.h"
#include "fixes/drafts.h"
#include "fixes/iteration_call.h"
#include "fixes/module_words.h"
#include "validators/suggestions/module_names.h"
#include "validators/suggestions/torch_classes.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <cctype>

namespace model_validator::fixes {
namespace {

/// A call of the module, and the loop that runs it once for each of its own modules.
struct ModuleUse {
  Node call;
  std::optional<ModuleLoop> loop;
};

/// Gives the calls of one class modules of their own. One that is called once keeps the module.
class Separation {
public:
  Separation(std::vector<ModuleUse> uses, const Rewrite& rewrite, PythonFile& file,
             PlannedFiles& files)
      : uses_(std::move(uses)), attribute_(rewrite.calls.front().attribute), files_(files),
        home_(method_of_use(uses_.front())), made_(assignments_of(home_.type, attribute_)),
        change_(file.change_of(home_.type)), draft_{&file} {
    for (const ModuleUse& use : uses_)
      if (!(method_of_use(use).type == home_.type))
        throw Refusal{"its calls are in several classes"};
    for (const Node& use : file.root().all("attribute")) expect_only_calls(use);
    expect_class(rewrite.expression, file.imports());
    const bool in_loop =
        std::ranges::any_of(uses_, [](const ModuleUse& use) { return use.loop.has_value(); });
    at_end_ = made_.empty() || is_made_once();
    if (at_end_ || in_loop) files.place_in(home_.type, draft_);
    const std::string made = rewrite.expression.substr(0, rewrite.expression.find('('));
    class_ = made.substr(made.rfind('.') + 1);
    if (!is_made_of_torch())
      draft_.hazard.reason =
          "its source does not show that `" +
          (made_.empty() ? attribute_ : std::string(made_.front().field("right").text())) +
          "` never has weights, which a second module would not share";
    draft_.hazard.add(files.source().of_other_uses(attribute_, home_.function));
  }

  Draft draft(Diagnostic& finding) {
    const auto keeps = std::ranges::find_if(uses_, [](const ModuleUse& use) { return !use.loop; });
    for (auto use = uses_.begin(); use != uses_.end(); ++use)
      if (use->loop)
        one_each_turn(*use);
      else if (use != keeps)
        one_more(use->call, use - uses_.end());
    propose(finding, "give each call its own module: " + all_ + in_init_of(name_of(home_.type)) +
                         ", and call " +
                         (uses_.size() > 2 ? "a different one each time" : "it here"));
    return std::move(draft_);
  }

private:
  /// What is done to the module, other than calling it, would not be done to another.
  void expect_only_calls(const Node& use) const {
    if (use.field("attribute").text() != attribute_) return;
    const Node around = use.parent();
    const bool own =
        use.field("object").text() == "self" || use.field("object").text() == home_.self;
    const bool given = around.is("assignment") && around.field("left") == use;
    if (given && !contains(made_, around) && (!own || may_belong_to(use, home_.type)))
      throw Refusal{"it is replaced elsewhere in its file"};
    if (own && around.is("attribute") && may_belong_to(use, home_.type))
      throw Refusal{"its class does more with it than call it"};
  }

  /// The model has a different module there than the class makes: a class of another file derives
  /// from it, say, or what holds it has replaced it.
  void expect_class(const std::string& expression, const Imports& imports) const {
    const auto class_of = [](std::string_view callee) {
      return callee.substr(callee.rfind('.') + 1);
    };
    const std::string in_model(class_of(expression.substr(0, expression.find('('))));
    for (const Node& made : made_) {
      if (in_model.empty()) break;
      const std::string full = imports.resolve(made.field("right").field("function").text());
      if (full.starts_with("torch.nn.") && class_of(full) != in_model)
        throw Refusal{"the model has a different class there than its source"};
    }
  }

  /// In a plain statement of `__init__`, so that it is there at its end.
  bool is_made_once() const {
    const Node init = find_method(home_.type, "__init__");
    return made_.size() == 1 && init && made_.front().parent().parent() == init.field("body") &&
           !is_left_early(home_.type);
  }

  /// `nn.ReLU(inplace=True)`: one of torch's classes that have no weights, whatever it is given.
  bool is_made_of_torch() const {
    if (!is_made_once()) return false;
    const Node value = made_.front().field("right");
    const std::string full = draft_.file->imports().resolve(value.field("function").text());
    const std::string name = full.substr(full.rfind('.') + 1);
    return value.is("call") && full.starts_with("torch.nn.") && find_torch_class(name) &&
           !has_state(name);
  }

  /// Whether the expression makes the same once more.
  bool is_made_again() const {
    if (!is_made_of_torch()) return false;
    const auto given = arguments_of(made_.front().field("right"));
    return given && std::ranges::all_of(
                        *given, [](const GivenArgument& each) { return is_literal(each.value); });
  }

  void expect_unnoticed(const std::string& name, bool is_list) {
    draft_.hazard.add(files_.source().of_new_child(home_.type, draft_.file->imports(),
                                                   {is_list ? "ModuleList" : class_, name}));
  }

  static Method method_of_use(const ModuleUse& use) {
    return method_around(use.loop ? use.loop->statement : use.call);
  }

  std::string copied() { return copy_of(home_.self + '.' + attribute_, draft_); }

  void call_by(const Node& call, const std::string& name) {
    const Node callee = call.field("function");
    draft_.edits.push_back({callee.begin(), callee.end(), name, 0});
  }

  void assign_at_end(const std::string& name, const std::string& value, bool fresh) {
    draft_.assignments.push_back(name + " = " + value);
    if (fresh) change_.assignments.push_back(draft_.assignments.back());
  }

  void note(const std::string& name, const std::string& value) {
    all_ += (all_.empty() ? "" : ", ") + assignment(name, value);
  }

  void one_more(const Node& call, std::ptrdiff_t rank) {
    const auto [name, fresh] = files_.attribute_for(*draft_.file, home_.type, call, attribute_, 2);
    call_by(call, home_.self + '.' + name);
    expect_unnoticed(name, false);
    std::string value =
        is_made_again() ? std::string(made_.front().field("right").text()) : copied();
    if (at_end_) assign_at_end(name, value, fresh);
    for (const Node& assigned : at_end_ ? std::vector<Node>() : made_) {
      TextEdit edit = copy_behind(assigned, name, value, draft_.file->file().text);
      edit.rank = rank; // before what else the constructor is given at its end
      draft_.edits.push_back(std::move(edit));
    }
    note(name, value);
  }

  void one_each_turn(const ModuleUse& use) {
    if (!is_filled_before(*use.loop, home_, draft_.site))
      throw Refusal{"it is in a loop over what its class creates later"};
    const auto [name, fresh] =
        files_.attribute_for(*draft_.file, home_.type, use.call, plural(attribute_));
    draft_.hazard.add(files_.of_loop(*use.loop, home_));
    const IterationCall turn = call_per_iteration(*use.loop, attribute_, name, home_, use.call,
                                                  *draft_.file, files_.compiles(*draft_.file));
    const std::string value = one_per_iteration(copied(), *use.loop, draft_);
    call_by(use.call, turn.callee);
    expect_unnoticed(name, true);
    draft_.edits.insert(draft_.edits.end(), turn.edits.begin(), turn.edits.end());
    assign_at_end(name, value, fresh);
    note(name, value);
  }

  std::vector<ModuleUse> uses_;
  std::string attribute_;
  std::string class_; ///< of the module, in the model
  PlannedFiles& files_;
  Method home_;
  std::vector<Node> made_; ///< its assignments; none where it is inherited
  ClassChange& change_;
  bool at_end_ = false; ///< of the constructor, where it is made once
  Draft draft_;
  std::string all_;
};

/// All calls of the module in the source. @throws Refusal where the model does not identify them
std::vector<ModuleUse> calls_to_separate(const Rewrite& rewrite, PythonFile& file,
                                         PlannedFiles& files) {
  const std::string& attribute = rewrite.calls.front().attribute;
  std::vector<ModuleUse> uses;
  for (const SourceCall& call : rewrite.calls) {
    if (&files.file_of(call) != &file || call.attribute != attribute)
      throw Refusal{"it is called from several files, or under several names"};
    const auto there = module_calls_at(file, call);
    const Node& chosen = choose(there, call);
    if (!files.module_loop_around(chosen, file)) expect_one_run(there.size(), call);
    for (const Node& node : there)
      if (std::ranges::none_of(uses, [&](const ModuleUse& use) { return use.call == node; }))
        uses.push_back({node, files.module_loop_around(node, file)});
  }
  return uses;
}

} // namespace

Draft separate_calls(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files) {
  const std::string& attribute = rewrite.calls.front().attribute;
  if (attribute.empty() || std::isdigit(static_cast<unsigned char>(attribute.front())))
    throw Refusal{"it is called from a container, which calls what it holds"};
  PythonFile& file = files.file_of(rewrite.calls.front());
  std::vector<ModuleUse> uses = calls_to_separate(rewrite, file, files);
  if (uses.size() < 2 && !uses.front().loop)
    throw Refusal{"all its calls are at one place in the source"};
  return Separation(std::move(uses), rewrite, file, files).draft(finding);
}

} // namespace model_validator::fixes
