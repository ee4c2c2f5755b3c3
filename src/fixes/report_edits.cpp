#include "fixes/report_edits.h"

#include "fixes/known_source.h"
#include "fixes/plan.h"
#include "fixes/python/user_files.h"

#include <utility>

namespace model_validator::fixes {

void add_edits(const std::vector<std::vector<Diagnostic>*>& models, std::vector<SourceRoot> roots) {
  UserFiles files(std::move(roots));
  KnownSource source(files);
  for (std::vector<Diagnostic>* findings : models) {
    std::vector<Diagnostic*> open;
    for (Diagnostic& finding : *findings)
      if (!finding.suppressed) open.push_back(&finding);
    plan_fixes(open, source, {});
  }
}

} // namespace model_validator::fixes
