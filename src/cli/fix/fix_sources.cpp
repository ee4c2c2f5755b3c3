#include "cli/fix/fix_sources.h"

#include "cli/console/exit_status.h"
#include "cli/fix/written_files.h"
#include "files/real_path.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace model_validator::cli {

std::vector<Diagnostic*> findings_to_fix(std::vector<FileResult>& results) {
  std::map<std::vector<SourceRoot>, MovedSources> sources;
  std::map<std::filesystem::path, std::string> names; // by what they lead to
  std::vector<Diagnostic*> open;
  for (FileResult& result : results) {
    const auto roots = result.settings->roots();
    MovedSources& moved = sources.try_emplace(roots, roots).first->second;
    for (Diagnostic& finding : result.report.findings) {
      if (finding.suppressed) continue;
      open.push_back(&finding);
      if (!finding.fix || !finding.fix->rewrite) continue;
      for (SourceCall& call : finding.fix->rewrite->calls)
        if (const auto found = moved.find(call.place.file); !found.empty())
          call.place.file = names.try_emplace(real_path(found), found).first->second;
    }
  }
  return open;
}

fixes::UserFiles files_of(const std::vector<FileTask>& tasks) {
  std::vector<SourceRoot> roots;
  for (const FileTask& task : tasks)
    for (const auto& [was, is] : task.settings->roots()) roots.emplace_back(is, is);
  return fixes::UserFiles(std::move(roots));
}

std::string package_of_modules(const std::string& named, const std::vector<FileTask>& tasks) {
  if (!named.empty() || tasks.empty()) return named;
  const std::string package = tasks.front().settings->fix_modules;
  if (std::ranges::any_of(
          tasks, [&](const FileTask& task) { return task.settings->fix_modules != package; }))
    throw Error(ErrorKind::usage, "",
                "the models' configurations name different packages of modules",
                "name one with `--modules`");
  return package;
}

std::vector<std::string> commit_changes(const std::vector<fixes::FileChange>& changes) {
  WrittenFiles written;
  auto left_alone = written.write(changes);
  for (const std::string& path : left_alone)
    print_warning("`" + path + "` has changed meanwhile, and is left as it is",
                  "run the command again");
  written.keep();
  return left_alone;
}

} // namespace model_validator::cli
