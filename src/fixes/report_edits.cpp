#include "fixes/report_edits.h"

#include "fixes/plan.h"
#include "fixes/python/user_files.h"

#include <utility>

namespace model_validator::fixes {

void add_edits(std::vector<Diagnostic>& findings, std::vector<SourceRoot> roots) {
  std::vector<Diagnostic*> open;
  for (Diagnostic& finding : findings)
    if (!finding.suppressed) open.push_back(&finding);
  UserFiles files(std::move(roots));
  plan_fixes(open, files, {});
}

} // namespace model_validator::fixes
