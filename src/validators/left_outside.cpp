#include "validators/left_outside.h"

#include "introspection/multiply_accumulates.h"
#include "rules/judging/islands.h"
#include "text/numbers.h"
#include "text/plural.h"

namespace model_validator {
namespace {

std::string share_of_products(const ConnectedGraph& graph, const std::set<OpId>& refused) {
  const MultiplyAccumulates counts = count_multiply_accumulates(graph);
  if (counts.total == 0) return {};
  std::uint64_t outside = 0;
  for (const auto& [op, count] : counts.by_op)
    if (refused.contains(op)) outside += count;
  return ", with " + percent(outside, counts.total) + " of the multiply-accumulates";
}

} // namespace

std::string left_outside(const ConnectedGraph& graph, const std::set<OpId>& refused) {
  std::size_t all = 0;
  for (OpId op = 0; op < graph.op_count(); ++op) all += rules::computes(graph.op(op)) ? 1U : 0U;
  const std::size_t islands = rules::islands_without(graph, refused).size();
  return std::to_string(refused.size()) + " of " + plural(all, "op") +
         (refused.size() == 1 ? " runs elsewhere" : " run elsewhere") +
         share_of_products(graph, refused) +
         (islands == 0 ? "; nothing is left for it"
                       : "; the rest makes " + plural(islands, "island"));
}

} // namespace model_validator
