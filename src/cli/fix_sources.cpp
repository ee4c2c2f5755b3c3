#include "cli/fix_sources.h"

#include "cli/exit_status.h"
#include "cli/written_files.h"

#include <algorithm>

namespace model_validator::cli {
namespace {

fixes::SourceRoot root_of(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw Error(ErrorKind::usage, "",
                "`--source-root " + text + "` does not say what has moved where",
                "write `--source-root OLD=NEW`");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

} // namespace

fixes::UserFiles files_of(const SourceChoice& choice, const std::vector<FileTask>& tasks) {
  std::vector<fixes::SourceRoot> roots;
  std::transform(choice.roots.begin(), choice.roots.end(), std::back_inserter(roots), root_of);
  for (const FileTask& task : tasks)
    for (const auto& [was, is] : task.settings->source_roots) roots.emplace_back(was, is.string());
  return fixes::UserFiles(std::move(roots));
}

fixes::PlanOptions plan_of(const SourceChoice& choice, const std::vector<FileTask>& tasks) {
  fixes::PlanOptions plan;
  plan.modules = choice.modules;
  if (!plan.modules.empty() || tasks.empty()) return plan;
  plan.modules = tasks.front().settings->fix_modules;
  if (std::any_of(tasks.begin(), tasks.end(),
                  [&](const FileTask& task) { return task.settings->fix_modules != plan.modules; }))
    throw Error(ErrorKind::usage, "",
                "the models' configurations name different packages of modules",
                "name one with `--modules`");
  return plan;
}

std::vector<std::string> write_for_good(const std::vector<fixes::FileChange>& changes) {
  WrittenFiles written;
  auto left_alone = written.write(changes);
  for (const std::string& path : left_alone)
    print_warning("`" + path + "` has changed meanwhile, and is left as it is",
                  "run the command again");
  written.keep();
  return left_alone;
}

} // namespace model_validator::cli
