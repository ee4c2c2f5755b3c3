#include "cli/check/fix_sources.h"

#include "cli/check/written_files.h"
#include "cli/console/exit_status.h"

#include <algorithm>

namespace model_validator::cli {

fixes::UserFiles files_of(const std::vector<FileTask>& tasks) {
  std::vector<SourceRoot> roots;
  for (const FileTask& task : tasks) {
    const auto more = task.settings->roots();
    roots.insert(roots.end(), more.begin(), more.end());
  }
  return fixes::UserFiles(std::move(roots));
}

fixes::PlanOptions plan_of(const SourceChoice& choice, const std::vector<FileTask>& tasks) {
  fixes::PlanOptions plan;
  plan.modules = choice.modules;
  plan.unsafe = choice.unsafe;
  if (!plan.modules.empty() || tasks.empty()) return plan;
  plan.modules = tasks.front().settings->fix_modules;
  if (std::any_of(tasks.begin(), tasks.end(),
                  [&](const FileTask& task) { return task.settings->fix_modules != plan.modules; }))
    throw Error(ErrorKind::usage, "",
                "the models' configurations name different packages of modules",
                "name one with `--modules`");
  return plan;
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
