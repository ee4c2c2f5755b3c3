#include "validators/large_constant.h"

#include "connected_graph/exporter.h"
#include "validators/op_finding.h"
#include "validators/options.h"

#include <algorithm>
#include <limits>
#include <map>

namespace model_validator {
namespace {

constexpr RuleInfo rule = {"large-constant",
                           "PRF001",
                           "validate_for_large_constant",
                           "a large tensor is baked into the graph as a constant",
                           Severity::warning,
                           true,
                           "bytes:integer"};

constexpr std::int64_t standard_limit = 1 << 20;

std::uint64_t bytes_of_element(const std::string& dtype) {
  static const std::map<std::string, std::uint64_t, std::less<>> sizes = {
      {"bool", 1},     {"uint8", 1},   {"int8", 1},      {"qint8", 1},
      {"quint8", 1},   {"int16", 2},   {"float16", 2},   {"int64", 8},
      {"bfloat16", 2}, {"float64", 8}, {"complex64", 8}, {"complex128", 16}};
  const auto found = sizes.find(dtype);
  return found == sizes.end() ? 4 : found->second;
}

/// Saturates rather than overflows: shapes come from the file.
std::uint64_t bytes_of(const TensorType& type) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t bytes = bytes_of_element(type.dtype);
  for (const std::int64_t size : *type.shape) {
    if (size <= 0) return 0;
    const auto factor = static_cast<std::uint64_t>(size);
    if (bytes > most / factor) return most;
    bytes *= factor;
  }
  return bytes;
}

} // namespace

const RuleInfo& LargeConstant::info() const { return rule; }

void LargeConstant::run(const ConnectedGraph& graph, const Context& context,
                        Diagnostics& diagnostics) const {
  if (!graph.origin.has_modules) return;
  const auto limit = option(context.options_of(rule.name), "bytes", standard_limit);
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    if (op.kind != OpKind::constant || op.outputs.empty() || !op.outputs[0].shape) continue;
    const std::uint64_t bytes = bytes_of(op.outputs[0]);
    if (bytes <= static_cast<std::uint64_t>(std::max<std::int64_t>(limit, 0))) continue;
    Diagnostic finding =
        finding_of(graph, id, diagnostics,
                   "a constant of " + std::to_string(bytes) + " bytes is part of the graph");
    finding.notes.push_back("its shape is " + to_python(*op.outputs[0].shape));
    if (is_of_torch(graph.origin)) {
      finding.help = "make it a buffer: `self.register_buffer(name, tensor)` in `__init__`";
      finding.fix = Fix{Applicability::unsafe, finding.help, {}};
    }
    diagnostics.add(std::move(finding));
  }
}

} // namespace model_validator
