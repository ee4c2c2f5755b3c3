#include "introspection/result_steps.h"

#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"
#include "connected_graph/program_of.h"
#include "text/numbers.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace model_validator {
namespace {

constexpr double clearly_beyond = 1.5; ///< calibration leaves some values out
constexpr double clearly_coarse = 8;   ///< three of eight bits are lost
constexpr int max_ops_between = 3;

/// What a scale and a zero point can say.
struct SayableRange {
  double least, greatest;
  double magnitude() const { return std::max(std::abs(least), std::abs(greatest)); }
};

/// None where they are not one each.
std::optional<SayableRange> sayable_range(const Quantisation& how) {
  const auto &scales = how.scale.values, &zeros = how.zero_point.values;
  if (!scales || scales->size() != 1 || (zeros && zeros->size() > 1)) return std::nullopt;
  const bool is_short = how.dtype.ends_with("int16");
  const double count = is_short ? 65536 : 256;
  const double first = how.dtype.starts_with("u") ? 0 : -count / 2;
  const double zero = zeros && !zeros->empty() ? zeros->front() : 0;
  return SayableRange{scales->front() * (first - zero),
                      scales->front() * (first + count - 1 - zero)};
}

/// How the first quantising node behind an op stores its values; null where there is none.
const Quantisation* steps_behind(const Program& program, OpId op) {
  std::set<std::size_t> values;
  for (const ProgramNode& node : program.nodes)
    if (node.op == op) values.insert(node.outputs.begin(), node.outputs.end());
  for (int i = 0; i < max_ops_between; ++i) {
    std::set<std::size_t> next;
    for (const ProgramNode& node : program.nodes) {
      if (node.inputs.empty() || node.inputs[0] == none || values.count(node.inputs[0]) == 0)
        continue;
      if (node.role == QuantisedRole::quantise && !node.quantised.empty())
        return node.quantised.front().quantisation.get();
      if (does(bare_operator(node.schema), rearranges | Does::drops_out))
        next.insert(node.outputs.begin(), node.outputs.end());
    }
    values = std::move(next);
  }
  return nullptr;
}

} // namespace

std::string misfit_of_steps(const ConnectedGraph& graph, OpId op, double greatest) {
  if (op == none || !(greatest > 0)) return {};
  const auto program = program_of(graph);
  const Quantisation* how = steps_behind(*program, op);
  const auto range = how != nullptr ? sayable_range(*how) : std::nullopt;
  if (!range) return {};
  // Steps without negative numbers stand for an activation as well, and leave those out.
  if (range->least < 0 && greatest > clearly_beyond * range->magnitude())
    return "its result is cut off at " + short_number(range->magnitude(), 3) +
           ", where the reference's reaches " + short_number(greatest, 3);
  if (range->magnitude() > clearly_coarse * greatest)
    return "its result has steps of " + short_number(how->scale.values->front(), 3) +
           ", where the reference's greatest value is " + short_number(greatest, 3);
  return {};
}

} // namespace model_validator
