#include "requests/confined_edits.h"

#include "files/process/worker_process.h"
#include "fixes/report_edits.h"
#include "lint/result_bytes.h"

#include <model_validator/error.h>

#include <algorithm>
#include <filesystem>

namespace model_validator {
namespace {

using process::WorkerResult;

constexpr std::uint64_t max_memory = std::uint64_t{1} << 30;
constexpr std::chrono::seconds longest_time{20};

bool is_editable(const Diagnostic& finding) {
  return !finding.suppressed && finding.fix && finding.fix->rewrite;
}

process::Confinement confinement(process::SandboxMode sandbox,
                                 const std::vector<SourceRoot>& roots) {
  std::error_code failed;
  process::Confinement confinement{sandbox, {}, {}};
  confinement.permissions.readable = {std::filesystem::current_path(failed)};
  for (const auto& [was, is] : roots)
    confinement.permissions.readable.push_back(std::filesystem::absolute(is, failed));
  confinement.limits.memory = max_memory;
  confinement.limits.processor_time = longest_time;
  return confinement;
}

/// @returns whether the findings got the edits
bool add(std::vector<Diagnostic>& findings, process::SandboxMode sandbox,
         const std::vector<SourceRoot>& roots) {
  try {
    const auto work = [&] {
      std::vector<Diagnostic> fixed = findings;
      fixes::add_edits(fixed, roots);
      return fixes_to_bytes(std::move(fixed));
    };
    const WorkerResult result = process::WorkerProcess(work, confinement(sandbox, roots)).wait();
    if (result.ending != WorkerResult::Ending::done) return false;
    take_fixes(result.bytes, findings);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

} // namespace

void add_edits_confined(std::vector<Diagnostic>& findings, process::SandboxMode sandbox,
                        const std::vector<SourceRoot>& roots) {
  if (std::none_of(findings.begin(), findings.end(), is_editable) || add(findings, sandbox, roots))
    return;
  for (Diagnostic& finding : findings)
    if (is_editable(finding))
      finding.fix->refusal = "its source cannot be edited within the limits";
}

} // namespace model_validator
