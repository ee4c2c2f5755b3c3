#include "fixes/plan.h"

#include "fixes/bisection.h"
#include "fixes/draft.h"
#include "fixes/drafts.h"
#include "fixes/function_class.h"
#include "fixes/loop_counts.h"
#include "fixes/planned_files.h"

#include <model_validator/diagnostic.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::fixes {
namespace {

struct Drafted {
  Diagnostic* finding = nullptr;
  Draft draft;
};

using Drafts = std::vector<const Drafted*>;

/// What a class is given, in the order in which its findings were drafted.
struct Given {
  const Draft* draft = nullptr;
  std::set<std::string> wanted;
  std::vector<TextEdit> in_copy = {}; ///< where a class is made of a function
};

/// Those of the assignments to a class that are wanted, in the order in which they were drafted.
std::vector<std::string> assignments_in(const PythonFile& file, const Given& given) {
  std::vector<std::string> assignments = file.change_at(given.draft->type.begin()).assignments;
  std::erase_if(assignments, [&](const auto& each) { return given.wanted.count(each) == 0; });
  return assignments;
}

/// What stands for the classes that the file is given, or that get something. @returns nothing
/// where the edits of one overlap
std::optional<std::vector<TextEdit>> edits_of_classes(PythonFile& file,
                                                      const std::map<std::size_t, Given>& classes,
                                                      std::vector<Import>& imports) {
  std::vector<TextEdit> edits;
  for (const auto& [place, given] : classes) {
    const std::vector<std::string> assignments = assignments_in(file, given);
    if (!is_function(given.draft->type)) {
      edits.push_back(assignments_at(given.draft->site, assignments, file.file().text));
      continue;
    }
    imports.push_back({"torch", "nn"});
    const Node& function = given.draft->type;
    const std::string base = file.use(imports.back()) + ".Module";
    std::string decorator;
    if (const auto registrar = registrar_of_class(function, file.imports())) {
      imports.push_back(*registrar);
      decorator = '@' + file.use(*registrar) + '\n';
    }
    const auto made = class_behind(function,
                                   {file.class_made_of(function), base, given.in_copy,
                                    counting_parameters(function), decorator, assignments},
                                   file.imports());
    if (!made) return std::nullopt;
    edits.push_back(*made);
  }
  return edits;
}

/// @returns nothing where edits of a class that is made of a function overlap
std::optional<std::vector<TextEdit>> edits_of(PythonFile& file, const Drafts& drafts) {
  std::vector<TextEdit> edits;
  std::vector<Import> imports;
  std::map<std::size_t, Given> classes;
  for (const Drafted* each : drafts) {
    const Draft& draft = each->draft;
    imports.insert(imports.end(), draft.imports.begin(), draft.imports.end());
    Given* given = draft.assignments.empty() ? nullptr : &classes[draft.type.begin()];
    auto& here = given && is_function(draft.type) ? given->in_copy : edits;
    here.insert(here.end(), draft.edits.begin(), draft.edits.end());
    if (!given) continue;
    given->draft = &draft;
    given->wanted.insert(draft.assignments.begin(), draft.assignments.end());
  }
  const auto of_classes = edits_of_classes(file, classes, imports);
  if (!of_classes) return std::nullopt;
  edits.insert(edits.end(), of_classes->begin(), of_classes->end());
  const auto imported = file.import_edits(imports);
  edits.insert(edits.end(), imported.begin(), imported.end());
  end_lines_as(file.file().text, edits);
  sort_edits(edits);
  return edits;
}

/// Nothing where the drafts do not fit together.
std::optional<std::string> text_after(PythonFile& file, const Drafts& drafts) {
  const auto edits = edits_of(file, drafts);
  if (!edits || edits_overlap(*edits)) return std::nullopt;
  std::string after = apply_edits(file.file().text, *edits);
  if (!PythonTree(after).well_formed()) return std::nullopt;
  return after;
}

/// Combines the drafts of a file. Those that do not fit the others are refused.
/// @returns the file's text with the edits of all others
std::string fit_together(PythonFile& file, const Drafts& drafts) {
  const auto some = [&](const std::vector<std::size_t>& chosen) {
    Drafts found;
    for (const std::size_t each : chosen) found.push_back(drafts[each]);
    return found;
  };
  const auto result = keep_valid(drafts.size(), [&](const auto& chosen) {
    const std::optional<std::string> reason = "its edits conflict with those of other findings";
    return text_after(file, some(chosen)) ? std::nullopt : reason;
  });
  for (const Rejected& culprit : result.rejected)
    drafts[culprit.index]->finding->fix->refusal = culprit.reason;
  return text_after(file, some(result.kept)).value_or(file.file().text);
}

/// The edits of a draft that is made alone.
std::vector<TextEdit> edits_alone(const Draft& draft) {
  const Drafted alone{nullptr, draft};
  return edits_of(*draft.file, {&alone}).value_or(std::vector<TextEdit>());
}

Draft draft_of(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files) {
  for (const SourceCall& call : rewrite.calls)
    if (!call.obstacle.empty()) throw Refusal{call.obstacle};
  if (rewrite.calls.empty() || rewrite.calls.front().place.file.empty())
    throw Refusal{"the model does not record where it is called"};
  switch (rewrite.kind) {
  case Rewrite::Kind::use_module: return use_module(rewrite, finding, files);
  case Rewrite::Kind::separate_calls: return separate_calls(rewrite, finding, files);
  case Rewrite::Kind::separate_owners: return separate_owners(rewrite, finding, files);
  case Rewrite::Kind::make_buffer: return make_buffer(rewrite, finding, files);
  case Rewrite::Kind::follow_mode: return follow_mode(rewrite, finding, files);
  case Rewrite::Kind::replace_number: return replace_number(rewrite, finding, files);
  }
  throw Refusal{"no fix is known for it"};
}

constexpr const char* edited = "its file has been edited since the model was exported";

/// A trace records no line's text. But a name that was free in the model is proposed, so that a
/// class which has and calls a module of that name is newer than the model.
bool is_newer_than_model(const Rewrite& rewrite, PlannedFiles& files) {
  const SourceCall& call = rewrite.calls.front();
  if (!call.code.empty() || rewrite.attribute.empty() || call.class_name.empty()) return false;
  const PythonFile& file = files.file_of(call);
  const Node type = find_class(file.root(), last_part(call.class_name));
  return type && type.text().find("self." + rewrite.attribute + '(') != std::string_view::npos &&
         std::ranges::any_of(assignments_of(type, rewrite.attribute),
                             [](const Node& made) { return made.field("right").is("call"); });
}

/// What lines of a file mean is not known once the file was edited.
void refuse_in_edited_files(const std::vector<Diagnostic*>& findings, std::vector<Drafted>& drafts,
                            PlannedFiles& files) {
  std::set<const PythonFile*> newer;
  for (const Diagnostic* finding : findings) try {
      if (finding->fix && finding->fix->rewrite && !finding->fix->rewrite->calls.empty() &&
          is_newer_than_model(*finding->fix->rewrite, files))
        newer.insert(&files.file_of(finding->fix->rewrite->calls.front()));
    } catch (const Refusal&) { // it has no file
    }
  for (auto& [finding, draft] : drafts)
    if (newer.count(draft.file) != 0 && finding->fix->rewrite->calls.front().code.empty())
      finding->fix->refusal = edited;
}

/// Why its edits wait though their proof may hold, as a clause; empty where they do not.
std::string hazard_of(const Draft& draft, const Diagnostic& finding, KnownSource& source) {
  std::vector<Mention> mentions;
  for (const Touched& each : draft.touched) {
    const auto& some = source.mentions_of(each);
    mentions.insert(mentions.end(), some.begin(), some.end());
  }
  std::ranges::sort(mentions);
  mentions.erase(std::ranges::unique(mentions).begin(), mentions.end());
  std::string hazard = draft.doubt;
  if (!draft.is_beyond_proof && !mentions.empty()) hazard = in_words(mentions.front());
  source.note(finding, std::move(mentions));
  return hazard;
}

std::vector<Drafted> drafts_of(const std::vector<Diagnostic*>& findings, PlannedFiles& files) {
  std::vector<Drafted> drafts;
  std::vector<Drafted> also;
  std::set<const Diagnostic*> done;
  for (Diagnostic* finding : findings) {
    if (!finding->fix || !finding->fix->rewrite || !finding->fix->refusal.empty() ||
        !done.insert(finding).second)
      continue;
    try {
      drafts.push_back({finding, draft_of(*finding->fix->rewrite, *finding, files)});
      for (Draft& each : std::exchange(drafts.back().draft.also, {}))
        also.push_back({finding, std::move(each)});
      finding->fix->hazard = hazard_of(drafts.back().draft, *finding, files.source());
      finding->fix->applicability =
          finding->fix->hazard.empty() ? Applicability::safe : Applicability::unsafe;
    } catch (const Refusal& refusal) {
      finding->fix->refusal = refusal.reason;
    }
  }
  for (Drafted& each : also) drafts.push_back(std::move(each));
  return drafts;
}

void refuse_unproved(std::vector<Drafted>& drafts, PlanOptions::Edits made) {
  for (auto& [finding, draft] : drafts) {
    const std::string& hazard = finding->fix->hazard;
    const bool waits =
        !hazard.empty() && (made == PlanOptions::Edits::unmentioned ||
                            (made == PlanOptions::Edits::provable && draft.is_beyond_proof));
    if (waits && finding->fix->refusal.empty()) finding->fix->refusal = hazard;
  }
}

/// What is refused for one instance of a class is refused for all.
void refuse_for_all_instances(std::vector<Drafted>& drafts) {
  for (auto& [finding, draft] : drafts) {
    if (!draft.type) continue;
    const auto& refused = draft.file->change_at(draft.type.begin()).refused;
    if (const auto found = refused.find(draft.operation); found != refused.end())
      finding->fix->refusal = found->second;
  }
}

bool is_made(const Drafted& each) { return each.finding->fix->refusal.empty(); }

/// Drafts that do not fit others are refused, so that what belongs to them in other places no
/// longer holds.
std::vector<FileChange> changed_sources_of_made(const std::vector<Drafted>& drafts,
                                                const PlannedFiles& files) {
  std::vector<FileChange> changes;
  for (const auto& [name, file] : files.sources()) {
    std::vector<const Drafted*> here;
    for (const Drafted& each : drafts)
      if (each.draft.file == file.get() && is_made(each)) here.push_back(&each);
    if (here.empty()) continue;
    std::string after = fit_together(*file, here);
    if (after != file->file().text)
      changes.push_back({file->file().path, file->file().text, std::move(after), false});
  }
  return changes;
}

std::vector<FileChange> changed_sources(const std::vector<Drafted>& drafts,
                                        const PlannedFiles& files) {
  for (auto made = std::ranges::count_if(drafts, is_made);;) {
    std::vector<FileChange> changes = changed_sources_of_made(drafts, files);
    const auto left = std::ranges::count_if(drafts, is_made);
    if (left == std::exchange(made, left)) return changes;
  }
}

void give_edits(const Drafted& each, const PlannedFiles& files) {
  const Draft& draft = each.draft;
  Fix& fix = *each.finding->fix;
  const SourceFiles::File& file = draft.file->file();
  for (Edit& edit : edits_in(file.path, file.text, draft.file->lines(), edits_alone(draft)))
    fix.edits.push_back(std::move(edit));
  if (draft.module_class.empty()) return;
  const ModuleFile& modules = *files.modules().at(draft.module_file);
  const std::string& before = modules.before();
  if (const std::string text = modules.with(draft.module_class); !text.empty())
    fix.edits.push_back(edits_in(draft.module_file, before, LineStarts(before),
                                 {{before.size(), before.size(), text, 0}})
                            .front());
}

std::vector<FileChange> changed_module_files(const std::vector<Drafted>& drafts,
                                             const PlannedFiles& files) {
  std::map<std::string, std::set<std::string>> used;
  for (const Drafted& each : drafts)
    if (is_made(each)) used[each.draft.module_file].insert(each.draft.module_class);
  std::vector<FileChange> changes;
  for (const auto& [path, file] : files.modules()) {
    file->keep_only(used[path]);
    if (used[path].empty()) continue;
    std::string after = file->text();
    if (after != file->before())
      changes.push_back({path, file->before(), std::move(after), file->before().empty()});
  }
  return changes;
}

} // namespace

std::vector<FileChange> plan_fixes(const std::vector<Diagnostic*>& findings, SourceFiles& files,
                                   const PlanOptions& options) {
  KnownSource source(files);
  return plan_fixes(findings, source, options);
}

std::vector<FileChange> plan_fixes(const std::vector<Diagnostic*>& findings, KnownSource& source,
                                   const PlanOptions& options) {
  source.index().forget_files_of_plans();
  PlanOptions chosen = options;
  for (const Diagnostic* finding : findings)
    if (finding->fix && finding->fix->rewrite) chosen.scripted |= finding->fix->rewrite->scripted;
  PlannedFiles planned(source, chosen);
  std::vector<Drafted> drafts = drafts_of(findings, planned);
  refuse_in_edited_files(findings, drafts, planned);
  refuse_unproved(drafts, options.edits);
  refuse_for_all_instances(drafts);
  std::vector<FileChange> changes = changed_sources(drafts, planned);
  for (const Drafted& each : drafts)
    if (is_made(each)) give_edits(each, planned);
  for (FileChange& change : changed_module_files(drafts, planned))
    changes.push_back(std::move(change));
  std::ranges::sort(changes,
                    [](const FileChange& a, const FileChange& b) { return a.path < b.path; });
  return changes;
}

} // namespace model_validator::fixes
