#include "lint/shared_data.h"

#include "lint/finish_report.h"

#include <model_validator/validator.h>

#include <algorithm>
#include <filesystem>

namespace model_validator {

void SharedData::note(FileResult& result) {
  if (result.data_files.empty()) return;
  ModelReport& report = result.report;
  const auto check = std::ranges::find_if(result.settings->enabled, [](const Validator* each) {
    return each->info().name == "stored-bytes";
  });
  if (check == result.settings->enabled.end()) return;
  Diagnostics diagnostics((*check)->info());
  for (const std::string& file : result.data_files) {
    const auto [first, is_new] = first_models_.try_emplace(file, report.path);
    if (is_new || first->second == report.path) continue;
    Diagnostic finding = diagnostics.start("`" + std::filesystem::path(file).filename().string() +
                                           "` holds weights of `" + first->second + "` too");
    finding.severity = Severity::info;
    diagnostics.add(std::move(finding),
                    "if they are meant to share weights, nothing; else save each model into a "
                    "folder of its own, as the one saved last has overwritten the other's data");
  }
  if (diagnostics.findings().empty()) return;
  for (Diagnostic& finding : diagnostics.findings()) report.findings.push_back(std::move(finding));
  finish(report);
}

} // namespace model_validator
