#include "connected_graph/canonical_type.h"
#include "connected_graph/exporter.h"
#include "connected_graph/operators.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/options.h"

#include <model_validator/data/contains.h>

#include <array>
#include <string_view>

namespace model_validator {
namespace {

constexpr RuleOption options[] = {{"gpu", RuleOption::Type::flag}};
constexpr RuleInfo rule = {"nondeterministic-op", "NUM001", "an operation draws random numbers",
                           Severity::warning,     true,     options};

bool draws_numbers(std::string_view type) { return does(type, Does::draws); }

/// Whether it adds in no fixed order when many threads run at once, as on a GPU.
bool has_no_order(std::string_view type) {
  constexpr auto types = std::to_array<std::string_view>(
      {"bincount", "histc", "index_add", "kthvalue", "put", "scatter_add", "scatter_reduce"});
  return contains(types, type);
}

/// The first of such operators that runs in an op: the op itself, or one within the module or
/// function that it stands for, whatever its name; empty where there is none.
template <class Is> std::string operator_that(const Is& is, const Op& op) {
  const bool computes = op.kind == OpKind::functional || op.kind == OpKind::query;
  if (computes && is(op.type)) return op.type;
  if (op.body)
    for (const Operator& part : *op.body)
      if (std::string type = canonical_type(part.schema, part.attributes); is(type)) return type;
  return {};
}

std::string help_for(bool draws, bool of_torch) {
  if (draws)
    return std::string("pass the numbers in as an input") +
           (of_torch ? ", or make them a parameter or buffer" : "");
  return of_torch ? "sort and reduce, or use `torch.use_deterministic_algorithms`" : "";
}

/// Operations that give different results in another run.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  const bool gpu = option(context.options_of(rule.name), "gpu", false);
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    const std::string drawing = operator_that(draws_numbers, op);
    const bool draws = !drawing.empty();
    const std::string type = draws || !gpu ? drawing : operator_that(has_no_order, op);
    if (type.empty()) continue;
    Diagnostic finding = finding_of(
        graph, id, diagnostics,
        "`" + type + (draws ? "` draws random numbers" : "` adds in no fixed order on a GPU") +
            (type == op.type ? "" : ", within `" + op.type + "`"));
    finding.help = help_for(draws, is_of_torch(graph.origin));
    diagnostics.add(std::move(finding));
  }
}

} // namespace

const Check checks::nondeterministic_op(rule, run);

} // namespace model_validator
