#include "introspection/given_inputs.h"

#include "connected_graph/attributes.h"
#include "connected_graph/shapes/symbolic_shapes.h"
#include "introspection/given_sizes.h"

#include <model_validator/error.h>
#include <model_validator/graph_builder.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace model_validator {
namespace {

using verify::InputSpec;

std::string name_of(const ConnectedGraph& graph, OpId input) {
  const auto* name = find_attribute<std::string>(graph.op(input).attributes, "name");
  return name != nullptr && !name->empty() ? *name : graph.op(input).name;
}

struct GivenInput {
  OpId op = none; ///< `none` where the model has none such
  InputSpec spec;
};

/// As `make_samples` matches them: those with a name first, the others in order.
std::vector<GivenInput> given_inputs(const ConnectedGraph& graph,
                                     const std::vector<std::string>& specs) {
  std::vector<GivenInput> given;
  for (const std::string& each : specs) given.push_back({none, verify::parse_input_spec(each)});
  std::vector<OpId> free = graph.inputs();
  for (GivenInput& each : given) {
    const auto found = std::ranges::find_if(free, [&](OpId input) {
      return !each.spec.name.empty() && name_of(graph, input) == each.spec.name;
    });
    if (found == free.end()) continue;
    each.op = *found;
    free.erase(found);
  }
  for (GivenInput& each : given) {
    if (!each.spec.name.empty() || free.empty()) continue;
    each.op = free.front();
    free.erase(free.begin());
  }
  return given;
}

TensorType type_of(const ConnectedGraph& graph, OpId input) {
  if (!graph.op(input).outputs.empty()) return graph.op(input).outputs.front();
  const auto [begin, end] = boost::out_edges(input, graph.graph());
  return begin == end ? TensorType{} : graph.graph()[*begin].type;
}

bool fits(const std::vector<std::int64_t>& declared, const verify::Shape& given) {
  return std::ranges::equal(declared, given, [](std::int64_t size, std::int64_t other) {
    return size < 0 || size == other;
  });
}

void give_shape(ConnectedGraph& graph, const GivenInput& given) {
  const auto declared = type_of(graph, given.op).shape;
  const bool is_number = given.spec.literal && given.spec.shape.size() < 2;
  if (!declared || (declared->empty() && is_number)) return;
  if (!fits(*declared, given.spec.shape))
    throw Error(ErrorKind::bad_inputs, graph.origin.path,
                "`" + name_of(graph, given.op) + "` has " + verify::to_string(*declared) +
                    " in the file, and " + verify::to_string(given.spec.shape) + " is given",
                "give the sizes that the file fixes as they are there");
  const auto names = port_size_names(graph, given.op);
  for (std::size_t axis = 0; names && axis < declared->size(); ++axis)
    if ((*declared)[axis] < 0 && (*names)[axis] != "?")
      give_sizes(graph, {(*names)[axis] + "=" + std::to_string(given.spec.shape[axis])});
}

} // namespace

ConnectedGraph with_given_ranges(ConnectedGraph graph, const verify::InputOptions& given) {
  std::map<OpId, verify::ValueRange> ranges;
  for (const GivenInput& each : given_inputs(graph, given.specs))
    if (each.spec.range && each.op != none) ranges.emplace(each.op, *each.spec.range);
  if (given.range)
    for (const OpId input : graph.inputs()) ranges.try_emplace(input, *given.range);
  GraphBuilder changed;
  static_cast<ConnectedGraph&>(changed) = std::move(graph);
  for (const auto& [input, range] : ranges) {
    changed.op(input).attributes.push_back({"low", range.low});
    changed.op(input).attributes.push_back({"high", range.high});
  }
  return changed;
}

TracedGraph declared_inputs(ConnectedGraph graph, const verify::InputOptions& given) {
  for (const GivenInput& each : given_inputs(graph, given.specs)) {
    if (each.op == none)
      throw Error(ErrorKind::unknown_input, graph.origin.path,
                  each.spec.name.empty() ? "more inputs are given than the model has"
                                         : "the model has no input `" + each.spec.name + "`");
    give_shape(graph, each);
  }
  TracedGraph traced{with_given_ranges(std::move(graph), given), {}};
  traced.trace.runs.resize(traced.graph.op_count());
  traced.trace.outcomes.resize(traced.graph.regions().size());
  return traced;
}

} // namespace model_validator
