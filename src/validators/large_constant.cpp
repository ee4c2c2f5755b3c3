#include "connected_graph/exporter.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/options.h"

#include <model_validator/data/dtype.h>

#include <algorithm>
#include <limits>

namespace model_validator {
namespace {

constexpr RuleOption options[] = {{"bytes", RuleOption::Type::whole_number}};
constexpr RuleInfo rule{.name = "large-constant",
                        .code = "PRF001",
                        .summary = "a large tensor is baked into the graph as a constant",
                        .severity = Severity::warning,
                        .options = options,
                        .needs = Need::modules};

constexpr std::int64_t standard_limit = 1 << 20;

/// Saturates rather than overflows: shapes come from the file.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > most / b ? most : a * b;
}

std::uint64_t bytes_of(const TensorType& type) {
  constexpr std::uint64_t bits_of_byte = 8, bits_where_unknown = 32;
  std::uint64_t elements = 1;
  for (const std::int64_t size : *type.shape) {
    if (size <= 0) return 0;
    elements = product(elements, static_cast<std::uint64_t>(size));
  }
  const auto dtype = dtype_named(type.dtype);
  const std::uint64_t bits = dtype ? facts_of(*dtype).bits : bits_where_unknown;
  return bits < bits_of_byte ? product(elements, bits) / bits_of_byte
                             : product(elements, bits / bits_of_byte);
}

/// Large tensors that are constants instead of parameters or buffers.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
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

} // namespace

const Check checks::large_constant(rule, run);

} // namespace model_validator
