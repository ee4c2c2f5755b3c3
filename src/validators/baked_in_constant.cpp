#include "connected_graph/attributes.h"
#include "connected_graph/exporter.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/shape_facts.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace model_validator {
namespace {

constexpr RuleInfo rule = {"baked-in-constant", "SHP001", "a trace froze a size into the graph",
                           Severity::info, false};

constexpr std::array shaped = std::to_array<std::string_view>(
    {"_unsafe_view", "broadcast_to", "expand", "reshape", "resize", "view"});

/// The sizes of an op that fixes every dimension of its product.
const std::vector<std::int64_t>* fixed_sizes(const Op& op) {
  if (op.kind != OpKind::functional || !contains(shaped, op.type)) return nullptr;
  for (const char* argument : {"size", "shape"})
    if (const AttributeValue* value = find_attribute(op.attributes, argument)) {
      const auto* sizes = std::get_if<std::vector<std::int64_t>>(value);
      const bool fixed =
          sizes && sizes->size() > 1 && std::ranges::all_of(*sizes, [](auto s) { return s > 0; });
      return fixed ? sizes : nullptr;
    }
  return nullptr;
}

std::string help_for(const GraphOrigin& origin) {
  std::string help = "leave one size open with -1";
  if (origin.format == FileFormat::exported_program)
    return help + ", or take it from `x.shape` and export with `dynamic_shapes`";
  if (!is_of_torch(origin)) return help;
  return help + ", or take it from `x.size()` or `x.shape`, which a trace follows as long as it "
                "stays a tensor's size and is not passed to `int()`";
}

/// Sizes that a trace took from its example input.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  // Of ONNX files, `baked-dimension` follows the free sizes, and says which have no choice.
  if (!graph.origin.traced || graph.origin.format == FileFormat::onnx) return;
  const auto reached = reached_from_inputs(graph);
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const auto* sizes = fixed_sizes(graph.op(id));
    if (!sizes || !reached[id]) continue;
    diagnostics.add(finding_of(graph, id, diagnostics,
                               "`" + graph.op(id).type + "` has the fixed sizes " +
                                   to_python(*sizes) + ": no other batch or size will do"),
                    help_for(graph.origin));
  }
}

} // namespace

const Check checks::baked_in_constant(rule, run);

} // namespace model_validator
