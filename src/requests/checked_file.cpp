#include "requests/checked_file.h"

#include "fixes/report_edits.h"
#include "requests/confined_edits.h"
#include "rules/presets.h"

namespace model_validator {

void add_edits(FileResult& result, Reader reader) {
  const Settings& settings = *result.settings;
  if (reader == Reader::confined)
    add_edits_confined(result.report.findings, settings.sandbox, settings.roots());
  else
    fixes::add_edits(result.report.findings, settings.roots());
}

void count(const FileResult& result, RunSummary& summary) {
  summary.add(result.report);
  summary.for_quantisers += asked_by_quantisers(result.report);
  if (result.settings->preset != standard_preset) summary.preset = result.settings->preset;
}

} // namespace model_validator
