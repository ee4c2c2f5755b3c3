#include "validators/checks.h"
namespace model_validator {
namespace {

constexpr RuleInfo rule = {
    "lost-module-hierarchy", "GRA007",
    "the file is frozen or inlined: it no longer says which modules it was made of", Severity::info,
    true};

constexpr const char* what_stays =
    "operators, dtypes, devices and constants are checked as in any other file";
constexpr const char* what_is_lost =
    "reused-modules, missing-modules, unused-module and shared-parameters cannot be checked";

/// Files without a module hierarchy.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {

  if (graph.origin.has_modules || graph.origin.format != FileFormat::torchscript) return;
  Diagnostic finding = diagnostics.start("the file holds no modules: it was frozen or inlined");
  finding.notes = {what_is_lost, what_stays};
  finding.help = "check the file that `torch.jit.save` writes before `torch.jit.freeze`";
  diagnostics.add(std::move(finding));
}

} // namespace

const Check checks::lost_module_hierarchy(rule, run);

} // namespace model_validator
