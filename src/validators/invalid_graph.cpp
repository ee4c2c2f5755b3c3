#include "connected_graph/file_nodes.h"
#include "rules/judging/judge_file.h"
#include "rules/judging/judge_forms.h"
#include "rules/onnx_schemas.h"
#include "text/plural.h"
#include "validators/checks.h"
#include "validators/op_finding.h"

#include <algorithm>

namespace model_validator {
namespace {

using rules::FormStanding;

constexpr RuleInfo rule{.name = "invalid-graph",
                        .code = "SER005",
                        .summary = "a graph of an ONNX file, or a body, function or stored tensor "
                                   "in it, that ONNX forbids",
                        .severity = Severity::error,
                        .about_code = false,
                        .decides_verdicts = true};

bool matters(const GraphForm& form) {
  return rules::matters(form, rules::versions_in_onnx(form.schema));
}

void report(const ConnectedGraph& graph, const GraphForm& form, bool nowhere,
            Diagnostics& diagnostics) {
  Diagnostic finding = finding_of(graph, form.op, diagnostics, form.sentence);
  if (nowhere) finding.refused_by = {every_target};
  finding.notes.emplace_back(nowhere ? "ONNX Runtime, OpenVINO and TensorRT refuse such a file"
                                     : "ONNX Runtime refuses such a file; others may take it");
  if (form.alike > 0)
    finding.notes.push_back("the same is wrong in " + plural(form.alike, "more place"));
  finding.help = "export the model again; if that gives the same file, the exporter, or what "
                 "changed the file after it, wrote it so";
  diagnostics.add(std::move(finding));
}

/// With targets that judge the file, their own tables say which of them take what ONNX Runtime does
/// not.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  if (!graph.file_nodes) return;
  const bool left_to_targets =
      std::ranges::any_of(context.targets, [&graph](const TargetProfile* each) {
        return rules::judges_nodes(*each, graph);
      });
  for (const GraphForm& form : graph.file_nodes->forms) {
    const FormStanding standing = rules::standing_of(form.kind);
    const bool nowhere = standing == FormStanding::nowhere;
    if (standing == FormStanding::valid || (left_to_targets && !nowhere) || !matters(form))
      continue;
    report(graph, form, nowhere, diagnostics);
  }
}

} // namespace

const Check checks::invalid_graph(rule, run);

} // namespace model_validator
