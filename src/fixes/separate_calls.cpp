#include "fixes/call_arguments.h"
#include "fixes/calls_in_source.h"
#include "fixes/drafts.h"
#include "fixes/iteration_call.h"
#include "fixes/plain_module.h"
#include "fixes/separate_children.h"
#include "validators/suggestions/module_names.h"

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
    expect_class(rewrite.expression, file.imports());
    const bool in_loop =
        std::ranges::any_of(uses_, [](const ModuleUse& use) { return use.loop.has_value(); });
    at_end_ = made_.empty() || is_made_once();
    if (at_end_ || in_loop) files.place_in(home_.type, draft_);
    if (!is_surely_plain())
      draft_.doubt =
          "its source does not show that `" +
          (made_.empty() ? attribute_ : std::string(made_.front().field("right").text())) +
          "` never has weights, which a second module would not share";
    draft_.touched.push_back({Touched::Kind::attribute, attribute_, home_.type});
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
  /// The model has a different module there than the class makes: a class of another file derives
  /// from it, say, or what holds it has replaced it.
  void expect_class(const std::string& expression, const Imports& imports) const {
    const std::string in_model = last_part(expression.substr(0, expression.find('(')));
    for (const Node& made : made_) {
      if (in_model.empty()) break;
      const std::string full = imports.resolve(made.field("right").field("function").text());
      if (full.starts_with("torch.nn.") && last_part(full) != in_model)
        throw Refusal{"the model has a different class there than its source"};
    }
  }

  /// In a plain statement of `__init__`, so that it is there at its end.
  bool is_made_once() const {
    const Node init = find_method(home_.type, "__init__");
    return made_.size() == 1 && init && made_.front().parent().parent() == init.field("body") &&
           !is_left_early(home_.type);
  }

  bool is_surely_plain() const {
    return !made_.empty() && std::ranges::all_of(made_, [this](const Node& each) {
      return makes_plain_module(each.field("right"), draft_.file->imports(), files_.index());
    });
  }

  /// Whether the expression makes the same once more.
  bool is_made_again() const {
    if (!is_made_once()) return false;
    const Node value = made_.front().field("right");
    if (!makes_plain_torch_module(value, draft_.file->imports())) return false;
    const auto given = arguments_of(value);
    return given && std::ranges::all_of(
                        *given, [](const GivenArgument& each) { return is_literal(each.value); });
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
    if (!is_filled_before(*use.loop, home_, draft_.site)) throw Refusal{is_made_later};
    const auto [name, fresh] =
        files_.attribute_for(*draft_.file, home_.type, use.call, plural(attribute_));
    const IterationCall turn = call_per_iteration(*use.loop, attribute_, name, home_, use.call,
                                                  *draft_.file, files_.compiles(*draft_.file));
    const std::string value = one_per_iteration(copied(), *use.loop, draft_);
    call_by(use.call, turn.callee);
    draft_.edits.insert(draft_.edits.end(), turn.edits.begin(), turn.edits.end());
    assign_at_end(name, value, fresh);
    note(name, value);
  }

  std::vector<ModuleUse> uses_;
  std::string attribute_;
  PlannedFiles& files_;
  Method home_;
  std::vector<Node> made_; ///< its assignments; none where it is inherited
  ClassChange& change_;
  bool at_end_ = false; ///< of the constructor, where it is made once
  Draft draft_;
  std::string all_;
};

/// Whether a call is written with another name: `self.again(x)`, where `self.again = self.act`.
bool has_other_name(const Rewrite& rewrite, PlannedFiles& files) {
  return std::ranges::any_of(rewrite.calls, [&](const SourceCall& call) {
    return module_calls_at(files.file_of(call), call).empty();
  });
}

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
    return separate_children(rewrite, "it is called from a container, which calls what it holds",
                             finding, files);
  PythonFile& file = files.file_of(rewrite.calls.front());
  if (has_other_name(rewrite, files))
    return separate_children(rewrite, "its line holds no such call", finding, files);
  std::vector<ModuleUse> uses = calls_to_separate(rewrite, file, files);
  if (uses.size() < 2 && !uses.front().loop)
    throw Refusal{"all its calls are at one place in the source"};
  return Separation(std::move(uses), rewrite, file, files).draft(finding);
}

} // namespace model_validator::fixes
