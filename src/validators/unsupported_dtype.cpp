#include "connected_graph/attributes.h"
#include "connected_graph/exporter.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/options.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/dtype.h>

namespace model_validator {
namespace {

constexpr RuleOption options[] = {{"dtypes", RuleOption::Type::texts}};
constexpr RuleInfo rule = {
    "unsupported-dtype", "TGT002", "float64 or complex numbers, which few targets compile",
    Severity::warning,   true,     options};

using Names = std::vector<std::string>;

const Names standard_dtypes = {"float64", "complex32", "complex64", "complex128"};

/// The first such dtype that the op yields or is asked to yield.
std::string dtype_of(const Op& op, const Names& dtypes) {
  for (const TensorType& output : op.outputs)
    if (contains(dtypes, output.dtype)) return output.dtype;
  const auto* number = find_attribute<std::int64_t>(op.attributes, "dtype");
  const auto asked = number ? dtype_numbered(&DTypeFacts::torch, *number) : std::nullopt;
  return asked && contains(dtypes, to_string(*asked)) ? to_string(*asked) : "";
}

/// A trace keeps Python's numbers as constants without dimensions; they take the dtype of the
/// tensor they are computed with.
bool is_number(const Op& op) {
  return op.kind == OpKind::constant && !op.outputs.empty() && op.outputs[0].shape &&
         op.outputs[0].shape->empty();
}

/// How the one who converted a model gets a file of float32.
std::string float32_in_onnx(const GraphOrigin& origin) {
  switch (exporter_of(origin)) {
  case Exporter::torch: return "export the model in float32";
  case Exporter::scikit_learn:
    return "convert it with inputs of `FloatTensorType` in `initial_types`";
  default: return {};
  }
}

void check_parameters(const ConnectedGraph& graph, const Names& dtypes, Diagnostics& diagnostics) {
  const auto owners = owners_of_parameters(graph);
  for (ParameterId id = 0; id < graph.parameters().size(); ++id) {
    const Parameter& parameter = graph.parameters()[id];
    if (!contains(dtypes, parameter.type.dtype)) continue;
    Diagnostic finding =
        finding_of_module(graph, owners[id], diagnostics,
                          (parameter.buffer ? "buffer `" : "parameter `") + parameter.path +
                              "` has dtype " + parameter.type.dtype);
    finding.help = graph.origin.format == FileFormat::onnx
                       ? float32_in_onnx(graph.origin)
                       : "convert it before the export: `model.float()`";
    if (!finding.help.empty()) finding.fix = Fix{Applicability::unsafe, finding.help, {}};
    diagnostics.add(std::move(finding));
  }
}

/// Parameters and operations in dtypes that few targets compile.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  const Names dtypes = option(context.options_of(rule.name), "dtypes", standard_dtypes);
  check_parameters(graph, dtypes, diagnostics);
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    const std::string dtype =
        op.kind == OpKind::output || is_number(op) ? "" : dtype_of(op, dtypes);
    if (dtype.empty()) continue;
    diagnostics.add_with_change(
        finding_of(graph, id, diagnostics, "`" + op.type + "` computes in " + dtype),
        "compute in float32");
  }
}

} // namespace

const Check checks::unsupported_dtype(rule, run);

} // namespace model_validator
