#include "lint/missing_weights.h"

#include "introspection/weight_store.h"
#include "lint/tool_rules.h"

#include <model_validator/error.h>
#include <model_validator/validator.h>

namespace model_validator {
void add_missing_weights(const ConnectedGraph& graph, const std::filesystem::path& file,
                         ModelReport& report) {
  if (graph.origin.format != FileFormat::onnx) return;
  try {
    list_weights(file);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::missing_weights && error.kind() != ErrorKind::truncated_file)
      throw;
    Diagnostics diagnostics(missing_weights_rule());
    Diagnostic finding = diagnostics.start(error.what());
    finding.notes.emplace_back("no runtime loads the model without them");
    finding.help = error.hint();
    diagnostics.add(std::move(finding));
    report.findings.push_back(std::move(diagnostics.findings().front()));
  }
}

} // namespace model_validator
