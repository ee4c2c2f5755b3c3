#include "fixes/function_calls.h"

#include "fixes/calls_in_source.h"
#include "fixes/function_class.h"
#include "fixes/given_functions.h"
#include "fixes/iteration_call.h"
#include "fixes/loop_counts.h"

#include <algorithm>

namespace model_validator::fixes {
namespace {

/// What one of several places runs is told from what the others run.
/// @throws Refusal where they do not run equally often, as after a `break`
void tell_apart(SourceCall& turn, std::size_t places) {
  if (places == 0 || turn.count == 0 || turn.count % places != 0) throw Refusal{not_distinguished};
  turn.number /= places;
  turn.count /= places;
}

/// How often a loop runs is not what its source says where it may end before.
void expect_all_turns(const std::optional<ModuleLoop>& loop) {
  for (const char* type : {"break_statement", "return_statement"})
    if (loop && !loop->statement.all(type).empty()) throw Refusal{in_a_loop};
}

/// @param but_to_call  a method that is called by a module of its own
bool uses_its_instance(const Method& method, std::string_view but_to_call = {}) {
  const auto uses = method.function.field("body").identifiers(method.self);
  if (uses.size() != 1) return !uses.empty();
  const Node call = uses.front().parent().parent();
  return !call.is("call") || !(call.field("function") == uses.front().parent()) ||
         called_name(call) != but_to_call;
}

/// Whether calls of one class's code run its line several times.
bool runs_in_several_calls(const Rewrite& rewrite) {
  if (rewrite.calls.size() < 2) return false;
  const SourceCall& all = rewrite.calls.front();
  return all.count > all.runs * rewrite.calls[1].count;
}

/// `f` of `map(f, x)`; no node for any other call.
Node mapped_by(const Node& call) {
  const auto given = call.field("arguments").children();
  return call.field("function").text() == "map" && !given.empty() ? given.front() : Node();
}

/// What names the function that a call runs: `f` of `f(x)`, of `map(f, x)`, and of `self.act(x)`
/// where the class keeps it by `self.act = f`.
Node callee_of(const Node& call) {
  if (const Node mapped = mapped_by(call)) return mapped;
  const Node callee = call.field("function");
  const Node kept = only_function_kept(callee);
  return kept ? kept : callee;
}

/// `f(x)`, `utils.f(x)`, `self.f(x)`, `map(f, x)`, or `self.act(x)` where that is `f`.
bool calls_function(const Node& call, const std::string& name, const Imports& imports) {
  if (!call.is("call")) return false;
  const Node callee = callee_of(call);
  if (last_name_of(callee) == name) return true;
  return callee.is("identifier") && imports.resolve(callee.text()).ends_with('.' + name);
}

std::vector<Node> calls_at(const SourceCall& place, const std::string& name,
                           const PythonFile& file) {
  std::vector<Node> found = expressions_of(file, place);
  std::erase_if(found,
                [&](const Node& each) { return !calls_function(each, name, file.imports()); });
  return found;
}

/// What the caller's file calls a class that stands next to a function which it calls.
std::string class_there(const std::string& name, const Node& callee, const PythonFile& home,
                        Draft& part) {
  if (part.file == &home) return name;
  const Node object = callee.field("object");
  const std::string full = part.file->imports().resolve((object ? object : callee).text());
  const std::string package = object ? full : full.substr(0, full.rfind('.'));
  if (full.empty() || !is_defined_in(package + '.' + name, home.file().path))
    throw Refusal{"it is in a function that is not imported from its own file"};
  return object ? std::string(object.text()) + '.' + name : imported(part, {package, name});
}

/// Whether the calls around a method run it once, by one call at each place.
bool is_called_once(const Method& method, const Rewrite& rewrite, std::size_t place,
                    PlannedFiles& files) {
  Method called = method;
  for (; place < rewrite.calls.size(); ++place) {
    const std::string name = name_of(called.function);
    const PythonFile& file = files.file_of(rewrite.calls[place]);
    const auto calls = calls_at(rewrite.calls[place], name, file);
    const auto uses = called.type.all("attribute");
    if (calls.size() != 1 || std::ranges::count_if(uses, [&](const Node& use) {
                               return use.field("attribute").text() == name;
                             }) > 1)
      return false;
    called = method_around(calls.front());
  }
  return true;
}

void expect_copyable(const Node& function, PlannedFiles& files) {
  const Imports& imports = files.index().imports_of(function);
  if (const std::string reason = obstacle_to_class_of(function, imports); !reason.empty())
    throw Refusal{"it is in a function without a module, and " + reason};
}

/// A relative that has the method as well would no longer run its own.
void expect_no_other(const Node& function, const Node& type, PlannedFiles& files) {
  const ClassFamily& family = files.index().family_of(type);
  for (const Node& each : files.index().members_of(family))
    if (!(key_of(each) == key_of(files.index().kept(type))) && find_method(each, name_of(function)))
      throw Refusal{"another class has a `" + name_of(function) + "` of its own"};
}

/// Goes from a function outwards to the method of a module, and turns each call into that of a
/// module.
class CallsOutwards {
public:
  /// @param count  the parameter of the function that says how often its loop runs, or empty
  CallsOutwards(const Node& function, PythonFile& file, SourceCall turn, std::string count,
                const Rewrite& rewrite, PlannedFiles& files)
      : called_(function), home_(&file), turn_(std::move(turn)), count_(std::move(count)),
        rewrite_(rewrite), files_(files) {}

  std::vector<Draft> drafts() {
    for (place_ = 1; place_ < rewrite_.calls.size(); ++place_)
      if (turn_into_module_call()) return std::move(parts_);
    throw Refusal{"the model does not record where its function is called"};
  }

private:
  /// A call of the function, and the loop that runs it, if one does.
  struct Turn {
    Node call;
    std::optional<ModuleLoop> loop;
    Node place() const { return loop ? loop->statement : call; }
  };

  /// @returns whether it is in a method of a module
  bool turn_into_module_call() {
    PythonFile& there = files_.file_of(rewrite_.calls[place_]);
    if (&there == home_ && is_in_decorator_of(called_, rewrite_.calls[place_].place.line))
      return false;
    const auto calls = calls_at(rewrite_.calls[place_], name_of(called_), there);
    if (calls.empty() && is_in_lambda_of_called(there)) return false;
    if (calls.empty() && keep_modules(there)) return true;
    const Turn turn = take_turn(calls, there);
    if (const Node owner = called_.around("class_definition"))
      expect_no_other(called_, owner, files_);
    const MethodOrReason around = method_of(turn.place());
    if (!may_hold(around)) return copy_caller(turn, around, there);
    add(turn, *around.method, there);
    return true;
  }

  Turn take_turn(const std::vector<Node>& calls, PythonFile& there) {
    const Node call = choose(calls, turn_);
    Turn turn{call,
              mapped_by(call) ? module_loop(call, there) : files_.module_loop_around(call, there)};
    if (mapped_by(call) && !turn.loop) throw Refusal{runs_again};
    expect_all_turns(turn.loop);
    const bool is_open = turn.loop && turn.loop->turns == 0;
    if (is_open && calls.size() > 1) throw Refusal{not_distinguished};
    tell_apart(turn_, is_open ? turn_.count : calls.size() * (turn.loop ? turn.loop->turns : 1));
    return turn;
  }

  /// Whether a module of the class that the call stands in runs once in each of its runs.
  bool may_hold(const MethodOrReason& around) const {
    return around.method && turn_.count == 1 &&
           is_called_once(*around.method, rewrite_, place_ + 1, files_);
  }

  /// The function that the call stands in gets a class, too. @returns false
  bool copy_caller(const Turn& turn, const MethodOrReason& around, PythonFile& there) {
    if (around.method && uses_its_instance(*around.method, name_of(called_)))
      throw Refusal{runs_again};
    const Node function = around.method ? around.method->function : around.function;
    if (!function) throw Refusal{around.reason};
    expect_copyable(function, files_);
    add(turn, {function, function, "self"}, there);
    called_ = function;
    home_ = &there;
    if (turn.loop) count_ = turn.loop->parameter;
    return false;
  }

  /// A lambda or a comprehension of the function is a place of its own, in the same function.
  bool is_in_lambda_of_called(const PythonFile& there) const {
    const int line = rewrite_.calls[place_].place.line;
    return &there == home_ && called_.first_line() <= line && line <= called_.last_line();
  }

  /// `return gelu` becomes `return GeluModule()`, where `self.act = activation("gelu")`.
  /// @returns whether a class keeps the function so, and calls it there
  bool keep_modules(PythonFile& there) {
    const std::vector<Node> expressions = expressions_of(there, rewrite_.calls[place_]);
    for (const Node& call : expressions) {
      const MethodOrReason around = call.is("call") ? method_of(call) : MethodOrReason();
      if (!around.method) continue;
      if (!count_.empty()) throw Refusal{in_a_loop};
      const std::string attribute = attribute_called(call, around.method->self);
      for (const NamedFunction& each : given_to(attribute, around.method->type, there)) {
        if (is_given(each.name) && !calls_one_given(expressions)) throw Refusal{not_distinguished};
        keep_module(each, attribute, around.method->type);
      }
      if (!parts_.empty() && parts_.back().assignments.empty()) return true;
    }
    return false;
  }

  std::vector<NamedFunction> given_to(const std::string& attribute, const Node& type,
                                      PythonFile& there) {
    const auto made = assignments_of(type, attribute);
    if (turn_.count > 1 || !is_called_once_a_run(attribute, type)) return {};
    std::vector<NamedFunction> found;
    const auto is_wanted = [this](const Node& name, const PythonFile& giver) {
      return is_name_of_called(name, giver);
    };
    for (const Node& each : made) {
      const Node value = each.field("right");
      if (is_given(value) && may_hold_module(each) && is_only_called(attribute, type))
        found.push_back({&there, value});
      if (!value.is("call")) continue;
      for (NamedFunction& named : functions_given_by(value, there, files_, is_wanted))
        found.push_back(named);
    }
    return found;
  }

  bool is_name_of_called(const Node& name, const PythonFile& file) const {
    if (&file == home_) return name.text() == name_of(called_);
    const std::string full = file.imports().resolve(name.text());
    return full.ends_with('.' + name_of(called_)) && is_defined_in(full, home_->file().path);
  }

  /// The function's name where a constructor keeps what it is given.
  Node name_of_called_for(const NamedFunction& given) const {
    for (const Node& use : given.file->root().identifiers(name_of(called_))) {
      const Node around = use.parent();
      const bool is_dotted = around.is("attribute") && around.field("attribute") == use;
      const Node name = is_dotted ? around : use;
      const std::string_view first = name.text().substr(0, name.text().find('.'));
      if (is_name_of_called(name, *given.file) && !is_bound_in_function(first, given.name) &&
          !is_bound_in_function(first, name))
        return name;
    }
    return {};
  }

  /// `SwishModule() if act is swish else act`
  TextEdit module_where_given(const NamedFunction& given, Draft& part) {
    const std::string type = home_->class_made_of(called_);
    if (const Node name = name_of_called_for(given))
      return where_given(given.name, class_there(type, name, *home_, part) + "()",
                         "is " + std::string(name.text()));
    const std::string home = files_.module_from(*given.file, *home_);
    if (home.empty()) throw Refusal{"its function has no name where it is kept"};
    return where_given(given.name, imported(part, {home, type}) + "()",
                       "is " + imported(part, {home, name_of(called_)}));
  }

  void keep_module(const NamedFunction& named, const std::string& attribute, const Node& type) {
    Draft& part = parts_.emplace_back();
    part.file = named.file;
    if (is_given(named.name))
      part.edits = {module_where_given(named, part)};
    else
      part.edits = {{named.name.begin(), named.name.end(),
                     class_there(home_->class_made_of(called_), named.name, *home_, part) + "()",
                     0}};
    part.touched = {{Touched::Kind::attribute, attribute, type},
                    {Touched::Kind::function, name_of(called_), {}}};
  }

  void add(const Turn& turn_of_call, const Method& method, PythonFile& there) {
    const auto& [call, loop] = turn_of_call;
    Draft& part = parts_.emplace_back();
    part.file = &there;
    files_.place_in(method.type, part);
    if (loop && !is_filled_before(*loop, method, part.site)) throw Refusal{is_made_later};
    const std::string name = name_of(called_);
    const auto [attribute, fresh] =
        files_.attribute_for(there, method.type, call, loop ? plural(name) : name);
    const Node mapped = mapped_by(call);
    const Node callee = mapped ? mapped : call.field("function");
    std::string made = class_there(home_->class_made_of(called_), callee_of(call), *home_, part) +
                       '(' + counts_of(call, method, part) + ')';
    IterationCall turn{method.self + '.' + attribute, {}};
    if (mapped)
      turn = map_of_modules(call, turn.callee);
    else if (loop)
      turn = call_per_iteration(*loop, name, attribute, method, call, there, false);
    if (loop) made = one_per_iteration(made, *loop, part);
    part.edits = std::move(turn.edits);
    part.edits.push_back({callee.begin(), callee.end(), turn.callee, 0});
    part.assignments = {attribute + " = " + made};
    if (fresh) there.change_of(method.type).assignments.push_back(part.assignments.front());
    part.touched.push_back({Touched::Kind::function, name, {}});
    if (only_function_kept(callee))
      part.touched.push_back({Touched::Kind::value, std::string(last_name_of(callee)),
                              owner_of(callee.field("object"))});
  }

  /// How often the loops of the function run, in the words of the constructor around its call.
  std::string counts_of(const Node& call, const Method& method, Draft& part) {
    const LoopCounts counts = loop_counts(called_, call, method, part);
    if (!count_.empty() && !counts.known.contains(count_)) throw Refusal{in_a_loop};
    count_.clear();
    return counts.arguments;
  }

  Node called_;
  PythonFile* home_;  ///< of what is called
  SourceCall turn_;   ///< which of the calls at each place
  std::string count_; ///< the parameter that the class of the function needs
  const Rewrite& rewrite_;
  PlannedFiles& files_;
  std::size_t place_ = 1;
  std::vector<Draft> parts_;
};

} // namespace

Node function_to_copy(const Node& operation, const Rewrite& rewrite) {
  const MethodOrReason found = method_of(operation);
  if (!found.method) return found.function;
  return runs_in_several_calls(rewrite) && !uses_its_instance(*found.method)
             ? found.method->function
             : Node();
}

namespace {

/// The function at the top of a file that a line belongs to; no node where there is none.
Node function_of_line(const PythonFile& file, int line) {
  for (const Node& statement : file.root().children()) {
    const Node definition = undecorated(statement);
    if (definition.is("function_definition") && definition.first_line() <= line &&
        line <= definition.last_line())
      return definition;
  }
  return {};
}

/// The calls of a function in the code of a class.
std::vector<Node> calls_in_class(const std::string& class_name, const std::string& function,
                                 SourceIndex& index) {
  std::vector<Node> found;
  for (const Node& root : index.roots_naming(function))
    for (const Node& call : find_class(root, last_part(class_name)).all("call"))
      if (calls_function(call, function, index.imports_of(root))) found.push_back(call);
  return found;
}

} // namespace

Rewrite with_call_of_compiled(Rewrite rewrite, PlannedFiles& files) {
  SourceCall call = rewrite.calls.back();
  if (rewrite.scripted || !call.place.known() || call.class_name.empty()) return rewrite;
  const PythonFile& file = files.file_of(call);
  const Node function = function_of_line(file, call.place.line);
  if (!function || !is_compiled(function, file.imports())) return rewrite;
  const auto calls = calls_in_class(call.class_name, name_of(function), files.index());
  if (calls.size() != 1) return rewrite;
  call.place = {files.index().path_of(calls.front()), calls.front().first_line(), 0, 0};
  call.code.clear();
  rewrite.calls.push_back(std::move(call));
  return rewrite;
}

SourceCall within_call(const Node& function, const Rewrite& rewrite, PlannedFiles& files) {
  if (rewrite.calls.size() < 2 || rewrite.scripted) {
    const MethodOrReason found = method_of(function.field("body"));
    throw Refusal{found.method ? runs_again : found.reason};
  }
  expect_copyable(function, files);
  SourceCall call = rewrite.calls.front();
  call.number = rewrite.calls[1].number;
  call.count = rewrite.calls[1].count;
  return call;
}

std::vector<Draft> calls_of_copy(const Node& function, PythonFile& file, const Rewrite& rewrite,
                                 std::size_t candidates, const std::optional<ModuleLoop>& loop,
                                 PlannedFiles& files) {
  expect_all_turns(loop);
  SourceCall turn = rewrite.calls[1];
  const std::string count = loop ? loop->parameter : "";
  if (loop) candidates = count.empty() ? candidates * loop->turns : turn.count;
  tell_apart(turn, candidates);
  return CallsOutwards(function, file, std::move(turn), count, rewrite, files).drafts();
}

} // namespace model_validator::fixes
