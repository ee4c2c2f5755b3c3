#include "connected_graph/exporter.h"
#include "connected_graph/file_nodes.h"
#include "text/plural.h"
#include "validators/checks.h"
#include "validators/op_finding.h"

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "unused-declaration",
                        .code = "GRA010",
                        .summary = "the file declares something that nothing uses",
                        .severity = Severity::info,
                        .on_by_default = false,
                        .about_code = false};

/// Inputs of the model that no op reads, and that the model does not return.
void report_inputs(const ConnectedGraph& graph, Diagnostics& diagnostics) {
  for (const OpId id : graph.inputs()) {
    if (boost::out_degree(id, graph.graph()) > 0) continue;
    Diagnostic finding =
        finding_of(graph, id, diagnostics, "nothing reads the input `" + graph.op(id).name + '`');
    finding.notes.emplace_back("runtimes ask for it all the same, and what a caller passes there "
                               "changes nothing");
    if (is_of_torch(graph.origin))
      finding.help =
          "take the argument out of `forward`, or use it: a trace leaves out what Python "
          "decided by it";
    diagnostics.add(std::move(finding));
  }
}

/// What the reader of an ONNX file found, of each kind the first.
void report_rest(const FileNodes& file, Diagnostics& diagnostics) {
  for (const GraphForm& form : file.forms) {
    if (!form.kind.starts_with("unused-")) continue;
    Diagnostic finding = diagnostics.start(form.sentence);
    if (form.alike > 0) finding.notes.push_back("so it is in " + plural(form.alike, "more place"));
    diagnostics.add(std::move(finding));
  }
}

/// What a file declares and nothing uses: it costs space, or says that the file is not what its
/// author takes it for.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  report_inputs(graph, diagnostics);
  if (graph.file_nodes) report_rest(*graph.file_nodes, diagnostics);
}

} // namespace

const Check checks::unused_declaration(rule, run);

} // namespace model_validator
