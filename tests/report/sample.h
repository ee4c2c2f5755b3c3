#pragma once

#include "report/report_writer.h"

#include <model_validator/lint.h>

#include <sstream>

namespace model_validator::test {

/// A module called twice, as reused-modules reports it.
inline Diagnostic reused(const std::string& module) {
  Diagnostic finding;
  finding.rule = "reused-modules";
  finding.code = "GRA001";
  finding.message = "module `" + module + "` (ReLU) is called 2 times";
  finding.module = module;
  finding.parent = module.substr(0, module.find_last_of('.'));
  finding.op = OpReference{"relu_7", "relu"};
  finding.locations = {
      {{"resnet.py", 101, 14, 10}, "layer1.0", "second call", "        out = self.relu(out)"}};
  finding.notes = {"first call at resnet.py:93:14"};
  finding.help = "give each call its own module";
  finding.fix = Fix{Applicability::safe, "add a module", {{"resnet.py", {101, 0}, {101, 0}, "x"}}};
  finding.fingerprint = "0123456789abcdef";
  return finding;
}

inline ModelReport report_with(std::vector<Diagnostic> findings) {
  ModelReport report;
  report.path = "resnet18.pt";
  report.format = FileFormat::torchscript;
  report.ops = 60;
  report.status = findings.empty() ? ModelStatus::passed : ModelStatus::failed;
  report.checks = {{"reused-modules",
                    findings.empty() ? CheckStatus::passed : CheckStatus::failed,
                    findings.size(),
                    {}}};
  report.findings = std::move(findings);
  return report;
}

inline ModelReport unreadable() {
  ModelReport report;
  report.path = "weights.pt";
  report.status = ModelStatus::error;
  report.error = Error(ErrorKind::git_lfs_pointer, "weights.pt",
                       "a Git LFS pointer, not the file itself", "run `git lfs pull`");
  return report;
}

/// What a format makes of some models.
inline std::string written(const std::string& format, const std::vector<ModelReport>& reports,
                           const Style& style = {}) {
  std::ostringstream out;
  const std::vector<RuleInfo> rules{{"reused-modules", "GRA001", "a module is called twice"}};
  const auto writer = make_report_writer(format, out, style, rules);
  RunSummary summary;
  writer->begin();
  for (const ModelReport& report : reports) {
    writer->add(report);
    summary.add(report);
  }
  writer->end(summary);
  return out.str();
}

} // namespace model_validator::test
