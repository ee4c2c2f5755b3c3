#include "requests/checked_file.h"

#include "fixes/report_edits.h"
#include "requests/confined_edits.h"
#include "rules/presets.h"

#include <map>
#include <utility>
#include <vector>

namespace model_validator {

void add_edits(const std::vector<FileResult*>& results, Reader reader) {
  std::map<std::pair<process::SandboxMode, std::vector<SourceRoot>>,
           std::vector<std::vector<Diagnostic>*>>
      alike;
  for (FileResult* result : results)
    alike[{result->settings->sandbox, result->settings->roots()}].push_back(
        &result->report.findings);
  for (const auto& [source, models] : alike)
    if (reader == Reader::confined)
      add_edits_confined(models, source.first, source.second);
    else
      fixes::add_edits(models, source.second);
}

void count(const FileResult& result, RunSummary& summary) {
  summary.add(result.report);
  summary.for_quantisers += asked_by_quantisers(result.report);
  if (result.settings->preset != standard_preset)
    summary.preset = result.settings->preset +
                     (result.settings->preset_by_targets ? ", as no target quantises" : "");
}

} // namespace model_validator
