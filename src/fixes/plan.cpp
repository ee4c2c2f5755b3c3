#include "fixes/plan.h"

#include "fixes/bisection.h"
#include "fixes/call_arguments.h"
#include "fixes/constructor_site.h"
#include "fixes/module_call.h"
#include "fixes/module_file.h"
#include "fixes/python_file.h"
#include "fixes/written_in_place.h"
#include "validators/module_names.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

namespace model_validator::fixes {
namespace {

namespace fs = std::filesystem;

/// Why a finding gets no edits, as a clause.
struct Refusal {
  std::string reason;
};

/// The edits of one finding, before they are put together with those of others.
struct Draft {
  PythonFile* file = nullptr;
  std::vector<TextEdit> edits = {};
  Node type = {};                            ///< the class that is given something
  std::vector<std::string> assignments = {}; ///< of its `__init__`
  std::vector<Import> imports = {};
  std::pair<std::size_t, std::size_t> operation = {}; ///< that becomes a call of a module
  std::string module_file = {};                       ///< that holds the class
  std::string module_class = {};
};

class Planner {
public:
  Planner(SourceFiles& files, const PlanOptions& options) : files_(files), options_(options) {}

  void add(Diagnostic& finding) {
    Fix& fix = *finding.fix;
    try {
      Draft draft = draft_of(*fix.rewrite, finding);
      if (drafts_.insert_or_assign(&finding, std::move(draft)).second) order_.push_back(&finding);
      fix.applicability = Applicability::safe;
    } catch (const Refusal& refusal) {
      fix.refusal = refusal.reason;
    }
  }

  std::vector<FileChange> changes();

private:
  Draft draft_of(const Rewrite& rewrite, Diagnostic& finding) {
    for (const SourceCall& call : rewrite.calls)
      if (!call.obstacle.empty()) throw Refusal{call.obstacle};
    if (rewrite.calls.empty() || rewrite.calls.front().place.file.empty())
      throw Refusal{"the model does not tell where it is called"};
    switch (rewrite.kind) {
    case Rewrite::Kind::use_module: return use_module(rewrite, finding);
    case Rewrite::Kind::separate_calls: return separate_calls(rewrite, finding);
    case Rewrite::Kind::separate_owners: return separate_owners(rewrite, finding);
    case Rewrite::Kind::make_buffer: return make_buffer(rewrite, finding);
    }
    throw Refusal{"nothing is known to do about it"};
  }

  PythonFile& file_of(const SourceCall& call) {
    auto& file = sources_[call.place.file];
    if (!file) file = std::make_unique<PythonFile>(files_.find(call.place.file));
    if (!file->file().refusal.empty()) throw Refusal{file->file().refusal};
    if (!file->tree().well_formed()) throw Refusal{"its file is not Python throughout"};
    if (!call.code.empty() && call.place.known() &&
        file->line(call.place.line) != trimmed(call.code))
      throw Refusal{"its line has changed since the model was exported"};
    note_package(*file, call.class_name);
    return *file;
  }

  static std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
  }

  static Place place_of(const SourceCall& call) {
    return {call.place.line, call.place.column > 0 ? call.place.column : -1};
  }

  /// Which of the expressions of a line a call is.
  template <class T>
  static const T& choose(const std::vector<T>& candidates, const SourceCall& call) {
    if (candidates.empty()) throw Refusal{"its line holds no such call"};
    const std::size_t count = candidates.size();
    if (call.count % count != 0)
      throw Refusal{"its line holds several such calls, and the model does not tell them apart"};
    if (call.count / count > call.runs)
      throw Refusal{"its line runs more than once in a run of its module"};
    return candidates[call.number % count];
  }

  static Method method_around(const Node& node) {
    const MethodOrReason found = method_of(node);
    if (!found.method) throw Refusal{found.reason};
    return *found.method;
  }

  const NameUses& names_in(PythonFile& file, const Node& function) {
    auto& known = names_[&file];
    auto names = known.find(function.begin());
    if (names == known.end()) names = known.emplace(function.begin(), NameUses(function)).first;
    return names->second;
  }

  /// A class may have thousands of findings.
  const ConstructorSite& site_in(PythonFile& file, const Node& type) {
    auto& known = known_sites_[&file];
    auto site = known.find(type.begin());
    if (site == known.end()) site = known.emplace(type.begin(), constructor_site(type)).first;
    if (!site->second.refusal.empty()) throw Refusal{site->second.refusal};
    return site->second;
  }

  static Operation operation_of(const Rewrite& rewrite, const PythonFile& file) {
    const SourceCall& call = rewrite.calls.front();
    const auto candidates =
        call.place.known()
            ? operations_at(file.root(), file.imports(), place_of(call), rewrite.operation)
            : functions_in(forward_of(file, call.class_name), file.imports(), rewrite.schema);
    // Why it stands where no module can be had says more than how often it runs there.
    if (!candidates.empty()) method_around(candidates.front().node);
    return choose(candidates, call);
  }

  static Node forward_of(const PythonFile& file, const std::string& class_name) {
    const Node type = find_class(file.root(), class_name.substr(class_name.rfind('.') + 1));
    const Node forward = type ? find_method(type, "forward") : Node();
    if (!forward) throw Refusal{"the model does not tell where it is called"};
    return forward;
  }

  Draft use_module(const Rewrite& rewrite, Diagnostic& finding) {
    const SourceCall& call = rewrite.calls.front();
    PythonFile& file = file_of(call);
    const Operation operation = operation_of(rewrite, file);
    const Method method = method_around(operation.node);
    const ConstructorSite& site = site_in(file, method.type);
    if (operation.form == Operation::Form::augmented)
      if (const std::string seen =
              seen_elsewhere(operation.node, names_in(file, method.function), rewrite);
          !seen.empty()) {
        seen_.emplace(std::pair(&file, key_of(operation.node)), seen);
        throw Refusal{seen};
      }
    CallContext context{rewrite, options_.scripted || file.is_compiled(), method.self, {}};
    ClassChange& change = file.change_of(method.type);
    const auto given = change.given.find(key_of(operation.node));
    const bool fresh = given == change.given.end();
    // Tried with a name first: a refusal must not leave one taken.
    context.attribute = rewrite.attribute;
    if (const ModuleCall tried = module_call(operation, context); !tried.refusal.empty())
      throw Refusal{tried.refusal};
    const std::string attribute =
        fresh ? file.free_name(method.type, rewrite.attribute) : given->second;
    context.attribute = attribute;
    const ModuleCall made = module_call(operation, context);
    Draft draft{&file, made.edits};
    const std::string constructor = constructor_of(made, draft);
    draft.operation = key_of(operation.node);
    draft.type = method.type;
    draft.assignments = {attribute + " = " + constructor};
    change.given[key_of(operation.node)] = attribute;
    if (fresh) change.assignments.push_back(draft.assignments.front());
    finding.help = "use a module: " + assignment(attribute, constructor) +
                   in_init_of(name_of(method.type)) + ", and call it here";
    finding.fix->description = finding.help;
    sites_[&file].insert({method.type.begin(), site});
    return draft;
  }

  static std::pair<std::size_t, std::size_t> key_of(const Node& node) {
    return {node.begin(), node.end()};
  }

  /// The expression, with what the file calls its classes.
  std::string constructor_of(const ModuleCall& made, Draft& draft) {
    PythonFile& file = *draft.file;
    if (!made.own) return use(draft, {"torch", "nn"}) + made.constructor.substr(2);
    std::string name = made.own->name;
    std::string package = options_.modules;
    if (package.empty()) {
      name = module_file_of(file).want(*made.own);
      draft.module_file = module_path_of(file);
      draft.module_class = name;
      package = (is_in_package(file) ? "." : "") + module_name();
    }
    return use(draft, {package, name}) + made.constructor.substr(made.own->name.size());
  }

  static std::string use(Draft& draft, const Import& import) {
    draft.imports.push_back(import);
    return draft.file->use(import);
  }

  static std::string module_name() { return fs::path(module_file_name).stem().string(); }

  /// As the export imported it, where one of the classes that it made tells.
  bool is_in_package(const PythonFile& file) {
    const auto told = packages_.find(&file);
    if (told != packages_.end()) return told->second;
    const fs::path folder = fs::path(file.file().path).parent_path();
    return files_.read((folder / "__init__.py").string()).has_value();
  }

  /// `models.net.Net` of `…/models/net.py` tells that `models` is a package.
  void note_package(const PythonFile& file, const std::string& class_name) {
    if (class_name.empty() || packages_.count(&file) != 0) return;
    std::string path = class_name;
    std::replace(path.begin(), path.end(), '.', '/');
    const fs::path name(path);
    if (name.has_parent_path()) {
      const std::string module = name.parent_path().string();
      for (const std::string& end : {'/' + module + ".py", '/' + module + "/__init__.py"})
        if (file.file().path.ends_with(end))
          packages_[&file] = module.find('/') != std::string::npos || end.ends_with("__init__.py");
    } else if (find_class(file.root(), class_name)) {
      packages_[&file] = false; // the file was run, and is in no package then
    }
  }

  static std::string module_path_of(const PythonFile& file) {
    return (fs::path(file.file().path).parent_path() / module_file_name).string();
  }

  ModuleFile& module_file_of(const PythonFile& file) {
    const std::string path = module_path_of(file);
    auto& known = modules_[path];
    if (!known) {
      const auto text = files_.read(path);
      if (text && text->find("model_validator fix") == std::string::npos)
        throw Refusal{"`" + path + "` is there already, and not a file of such modules"};
      known = std::make_unique<ModuleFile>(text.value_or(std::string()));
    }
    return *known;
  }

  /// The calls of a module on a line: `self.relu(x)`, or `act(x)` where `act = self.relu`.
  static std::vector<Node> module_calls_at(const PythonFile& file, const SourceCall& call) {
    std::vector<Node> found;
    const auto nodes = call.place.known() ? expressions_at(file.root(), place_of(call))
                                          : all_of(forward_of(file, call.class_name), "call");
    for (const Node& node : nodes)
      if (node.is("call") && calls_attribute(node, call.attribute)) found.push_back(node);
    return found;
  }

  static bool calls_attribute(const Node& call, const std::string& attribute) {
    const Node callee = call.field("function");
    if (callee.is("attribute"))
      return callee.field("object").is("identifier") &&
             callee.field("attribute").text() == attribute;
    return callee.is("identifier") && alias_of(call, std::string(callee.text())) == attribute;
  }

  /// `relu` for a name that was made by `act = self.relu` in the same function.
  static std::string alias_of(const Node& call, const std::string& name) {
    std::string found;
    for (const Node& made : all_of(call.around("function_definition"), "assignment")) {
      if (made.field("left").text() != name) continue;
      const Node value = made.field("right");
      if (!found.empty() || !value.is("attribute")) return {};
      found = value.field("attribute").text();
    }
    return found;
  }

  Draft separate_calls(const Rewrite& rewrite, Diagnostic& finding) {
    const std::string& attribute = rewrite.calls.front().attribute;
    if (attribute.empty() || std::isdigit(static_cast<unsigned char>(attribute.front())))
      throw Refusal{"it is called from a container, which calls what it holds"};
    PythonFile& file = file_of(rewrite.calls.front());
    std::vector<Node> calls;
    for (const SourceCall& call : rewrite.calls) {
      if (&file_of(call) != &file || call.attribute != attribute)
        throw Refusal{"it is called from several files, or under several names"};
      const auto there = module_calls_at(file, call);
      choose(there, call);
      for (const Node& node : there)
        if (std::find(calls.begin(), calls.end(), node) == calls.end()) calls.push_back(node);
    }
    if (calls.size() < 2) throw Refusal{"all its calls stand in one place of the source"};
    return give_each_its_own(calls, attribute, file, finding);
  }

  Draft give_each_its_own(const std::vector<Node>& calls, const std::string& attribute,
                          PythonFile& file, Diagnostic& finding) {
    const Method home = method_around(calls.front());
    for (const Node& call : calls)
      if (!(method_around(call).type == home.type))
        throw Refusal{"its calls stand in several classes"};
    const auto made = assignments_of(home.type, attribute);
    const bool inherited = made.empty();
    if (!std::all_of(made.begin(), made.end(), stands_alone))
      throw Refusal{"its assignment does not begin a line"};
    if (inherited) sites_[&file].insert({home.type.begin(), site_in(file, home.type)});
    Draft draft{&file, {}};
    ClassChange& change = file.change_of(home.type);
    std::string all;
    for (std::size_t i = 1; i < calls.size(); ++i) {
      const Node callee = calls[i].field("function");
      const auto given = change.given.find(key_of(calls[i]));
      const bool fresh = given == change.given.end();
      const std::string name = fresh ? file.free_name(home.type, attribute, 2) : given->second;
      change.given[key_of(calls[i])] = name;
      draft.edits.push_back({callee.begin(), callee.end(), home.self + '.' + name, 0});
      std::string value;
      if (inherited) {
        value = copy_of(home.self + '.' + attribute, draft);
        draft.type = home.type;
        draft.assignments.push_back(name + " = " + value);
        if (fresh) change.assignments.push_back(draft.assignments.back());
      }
      for (const Node& assigned : made) {
        const Node right = assigned.field("right");
        value = makes_anew(right) ? std::string(right.text())
                                  : copy_of(home.self + '.' + attribute, draft);
        TextEdit edit = copy_behind(assigned, name, value, file.file().text);
        // Before what else the constructor is given at its end.
        edit.rank = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(calls.size());
        draft.edits.push_back(std::move(edit));
      }
      all += (all.empty() ? "" : ", ") + assignment(name, value);
    }
    finding.help = "give each call its own module: " + all + in_init_of(name_of(home.type)) +
                   ", and call " + (calls.size() > 2 ? "a different one each time" : "it here");
    finding.fix->description = finding.help;
    return draft;
  }

  static std::string copy_of(const std::string& expression, Draft& draft) {
    const std::string known = draft.file->name_for("copy.deepcopy");
    const std::string function = known.empty() ? use(draft, {"", "copy"}) + ".deepcopy" : known;
    return function + '(' + expression + ')';
  }

  Draft separate_owners(const Rewrite& rewrite, Diagnostic& finding) {
    Draft draft;
    std::set<std::size_t> done;
    std::string all;
    for (const SourceCall& call : rewrite.calls) {
      PythonFile& file = file_of(call);
      if (draft.file && draft.file != &file)
        throw Refusal{"the modules that share it are defined in several files"};
      draft.file = &file;
      const Node place = owner_of(file, call);
      const auto made = assignments_of(place, call.attribute);
      if (made.empty()) throw Refusal{"`" + name_of(place) + "` is not the class that is given it"};
      for (const Node& assigned : made) {
        const Node right = assigned.field("right");
        if (right.text().find("deepcopy(") != std::string_view::npos || right.is("none")) continue;
        if (!done.insert(right.begin()).second) continue;
        const std::string copied = copy_of(std::string(right.text()), draft);
        draft.edits.push_back({right.begin(), right.end(), copied, 0});
        const std::string place_text =
            assignment(call.attribute, copied) + in_init_of(name_of(place));
        if (done.size() <= 3) all += (all.empty() ? "" : ", ") + place_text;
      }
    }
    if (draft.edits.empty()) throw Refusal{"no assignment shares it"};
    finding.help = "give each module that calls it one of its own: " + all;
    finding.fix->description = finding.help;
    return draft;
  }

  /// The class whose code a call stands in.
  static Node owner_of(const PythonFile& file, const SourceCall& call) {
    if (call.attribute.empty()) throw Refusal{"it is called by a module that does not have it"};
    const auto calls = module_calls_at(file, call);
    if (calls.empty()) throw Refusal{"its line holds no such call"};
    return method_around_loops(calls.front()).type;
  }

  /// A loop does not matter where every owner is given one.
  static Method method_around_loops(const Node& node) {
    const Node function = node.around("function_definition");
    return method_around(function ? function.field("body").children().front() : node);
  }

  Draft make_buffer(const Rewrite& rewrite, Diagnostic& finding) {
    const SourceCall& call = rewrite.calls.front();
    PythonFile& file = file_of(call);
    const Operation operation = operation_of(rewrite, file);
    const Method method = method_around(operation.node);
    if (operation.form != Operation::Form::function) throw Refusal{"it takes after another tensor"};
    const std::string expression = constant_call(operation.node);
    const ConstructorSite& site = site_in(file, method.type);
    ClassChange& change = file.change_of(method.type);
    const auto given = change.given.find(key_of(operation.node));
    const bool fresh = given == change.given.end();
    const std::string name = fresh ? file.free_name(method.type, rewrite.attribute) : given->second;
    const std::string made =
        "register_buffer(\"" + name + "\", " + expression + ", persistent=False)";
    if (fresh) change.assignments.push_back(made);
    change.given[key_of(operation.node)] = name;
    sites_[&file].insert({method.type.begin(), site});
    finding.help = "make it once, as a buffer: `self." + made + '`' +
                   in_init_of(name_of(method.type)) + ", and use `self." + name + "` here";
    finding.fix->description = finding.help;
    Draft draft{&file,
                {{operation.node.begin(), operation.node.end(), method.self + '.' + name, 0}}};
    draft.type = method.type;
    draft.assignments = {made};
    return draft;
  }

  /// The call without its device, which a buffer follows by itself.
  static std::string constant_call(const Node& call) {
    const auto arguments = arguments_of(call);
    if (!arguments) throw Refusal{"its arguments are starred"};
    std::string text;
    for (const GivenArgument& argument : *arguments) {
      if (argument.name == "device") continue;
      const bool dtype = argument.name == "dtype" && argument.value.text().starts_with("torch.");
      if (!dtype && !is_literal(argument.value))
        throw Refusal{"its source does not give it constants"};
      text += (text.empty() ? "" : ", ") + std::string(argument.node.text());
    }
    return std::string(call.field("function").text()) + '(' + text + ')';
  }

  std::optional<std::string> text_after(PythonFile& file, const std::vector<Diagnostic*>& findings);
  void finish(PythonFile& file, std::vector<FileChange>& changes);
  std::vector<TextEdit> alone(const Draft& draft) const;
  void give_edits() const;

  SourceFiles& files_;
  const PlanOptions& options_;
  std::map<std::string, std::unique_ptr<PythonFile>> sources_;
  std::map<std::string, std::unique_ptr<ModuleFile>> modules_;
  std::map<PythonFile*, std::map<std::size_t, ConstructorSite>>
      sites_; ///< that are given something
  std::map<PythonFile*, std::map<std::size_t, ConstructorSite>> known_sites_;
  std::map<PythonFile*, std::map<std::size_t, NameUses>> names_; ///< by function
  std::map<const PythonFile*, bool> packages_;                   ///< whether a file is in one
  std::map<Diagnostic*, Draft> drafts_;
  /// What writes in place and may not become an assignment, for one of the instances at least.
  std::map<std::pair<PythonFile*, std::pair<std::size_t, std::size_t>>, std::string> seen_;
  std::vector<Diagnostic*> order_; ///< in which they were drafted
};

/// The edits of a file for some of its findings; nothing where they do not fit together.
std::optional<std::string> Planner::text_after(PythonFile& file,
                                               const std::vector<Diagnostic*>& findings) {
  std::vector<TextEdit> edits;
  std::map<std::size_t, std::set<std::string>> wanted; // by class
  std::vector<Import> imports;
  for (Diagnostic* finding : findings) {
    const Draft& draft = drafts_.at(finding);
    edits.insert(edits.end(), draft.edits.begin(), draft.edits.end());
    imports.insert(imports.end(), draft.imports.begin(), draft.imports.end());
    if (draft.type)
      wanted[draft.type.begin()].insert(draft.assignments.begin(), draft.assignments.end());
  }
  for (const auto& [type, site] : sites_[&file]) {
    std::vector<std::string> assignments;
    for (const std::string& each : file.change_at(type).assignments)
      if (wanted[type].count(each) != 0) assignments.push_back(each);
    if (!assignments.empty()) edits.push_back(assignments_at(site, assignments, file.file().text));
  }
  for (const TextEdit& edit : file.import_edits(imports)) edits.push_back(edit);
  end_lines_as(file.file().text, edits);
  sort_edits(edits);
  if (edits_overlap(edits)) return std::nullopt;
  std::string after = apply_edits(file.file().text, edits);
  if (!PythonTree(after).well_formed()) return std::nullopt;
  return after;
}

/// What does not fit is left, and all else is done.
void Planner::finish(PythonFile& file, std::vector<FileChange>& changes) {
  std::vector<Diagnostic*> all;
  for (Diagnostic* finding : order_)
    if (drafts_.at(finding).file == &file) all.push_back(finding);
  const auto some = [&](const std::vector<std::size_t>& chosen) {
    std::vector<Diagnostic*> findings;
    for (const std::size_t each : chosen) findings.push_back(all[each]);
    return findings;
  };
  const auto result = keep_what_holds(all.size(), [&](const auto& chosen) {
    const std::optional<std::string> reason = "its edits do not fit those of others";
    return text_after(file, some(chosen)) ? std::nullopt : reason;
  });
  for (const Culprit& culprit : result.culprits) all[culprit.index]->fix->refusal = culprit.reason;
  if (result.kept.empty()) return;
  if (auto after = text_after(file, some(result.kept)); after && *after != file.file().text)
    changes.push_back({file.file().path, file.file().text, std::move(*after), false});
}

/// The edits of a finding that is fixed alone.
std::vector<TextEdit> Planner::alone(const Draft& draft) const {
  std::vector<TextEdit> edits = draft.edits;
  if (!draft.assignments.empty())
    edits.push_back(assignments_at(sites_.at(draft.file).at(draft.type.begin()), draft.assignments,
                                   draft.file->file().text));
  const auto imports = draft.file->import_edits(draft.imports);
  edits.insert(edits.end(), imports.begin(), imports.end());
  end_lines_as(draft.file->file().text, edits);
  sort_edits(edits);
  return edits;
}

void Planner::give_edits() const {
  for (const auto& [finding, draft] : drafts_) {
    if (!finding->fix->refusal.empty()) continue;
    const SourceFiles::File& file = draft.file->file();
    finding->fix->edits = edits_in(file.path, file.text, draft.file->lines(), alone(draft));
    if (draft.module_class.empty()) continue;
    const ModuleFile& modules = *modules_.at(draft.module_file);
    const std::string& before = modules.before();
    if (const std::string text = modules.with(draft.module_class); !text.empty())
      finding->fix->edits.push_back(edits_in(draft.module_file, before, LineStarts(before),
                                             {{before.size(), before.size(), text, 0}})
                                        .front());
  }
}

std::vector<FileChange> Planner::changes() {
  std::vector<FileChange> changes;
  for (auto& [finding, draft] : drafts_)
    if (const auto seen = seen_.find({draft.file, draft.operation}); seen != seen_.end())
      finding->fix->refusal = seen->second;
  std::erase_if(order_, [](const Diagnostic* finding) { return !finding->fix->refusal.empty(); });
  for (auto& [name, file] : sources_) finish(*file, changes);
  give_edits();
  std::map<std::string, std::set<std::string>> used;
  for (const auto& [finding, draft] : drafts_)
    if (finding->fix->refusal.empty()) used[draft.module_file].insert(draft.module_class);
  for (const auto& [path, file] : modules_) {
    file->keep_only(used[path]);
    std::string after = file->text();
    if (after != file->before())
      changes.push_back({path, file->before(), std::move(after), file->before().empty()});
  }
  std::sort(changes.begin(), changes.end(),
            [](const FileChange& a, const FileChange& b) { return a.path < b.path; });
  return changes;
}

} // namespace

std::vector<FileChange> plan_fixes(const std::vector<Diagnostic*>& findings, SourceFiles& files,
                                   const PlanOptions& options) {
  PlanOptions chosen = options;
  for (const Diagnostic* finding : findings)
    if (finding->fix && finding->fix->rewrite) chosen.scripted |= finding->fix->rewrite->scripted;
  Planner planner(files, chosen);
  for (Diagnostic* finding : findings)
    if (finding->fix && finding->fix->rewrite && finding->fix->refusal.empty())
      planner.add(*finding);
  return planner.changes();
}

} // namespace model_validator::fixes
