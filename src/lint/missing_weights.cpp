#include "lint/missing_weights.h"

#include "introspection/weight_store.h"
#include "lint/tool_rules.h"

#include <model_validator/error.h>
#include <model_validator/validator.h>

#include <cstdint>

namespace model_validator {
namespace {

/// Looking for the weights reads the structure of the file once more. A large file that has room
/// for all of them need not be asked.
bool may_keep_weights_elsewhere(const ConnectedGraph& graph) {
  constexpr std::uint64_t quickly_read = 1 << 20;
  if (graph.origin.format != FileFormat::onnx || graph.parameters().empty()) return false;
  std::uint64_t bytes = 0;
  for (const Parameter& each : graph.parameters()) bytes += each.bytes;
  return graph.origin.file_bytes < quickly_read || bytes > graph.origin.file_bytes;
}

} // namespace

void add_missing_weights(const ConnectedGraph& graph, const std::filesystem::path& file,
                         ModelReport& report) {
  if (!may_keep_weights_elsewhere(graph)) return;
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
