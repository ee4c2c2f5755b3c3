#pragma once

#include "introspection/ir_text.h"
#include "introspection/multiply_accumulates.h"
#include "introspection/structure.h"
#include "report/graph_writer.h"
#include "rules/module_tables.h"

#include <model_validator/lint.h>
#include <model_validator/registry.h>

#include <sstream>

namespace fuzz {

/// Does with a graph what the commands do with it.
inline void look_at(const model_validator::ConnectedGraph& graph) {
  using namespace model_validator;
  static const Registry registry = Registry::builtin();
  static const ModuleTables tables;
  std::vector<const Validator*> checks;
  for (const auto& check : registry.validators()) checks.push_back(check.get());
  Context context;
  context.tables = &tables;
  const ModelReport report = lint(graph, checks, context);
  // A check that throws is reported, but here it is what is looked for.
  for (const CheckResult& check : report.checks)
    if (check.status == CheckStatus::crashed) __builtin_trap();
  std::ostringstream out;
  write_graph_json(out, graph);
  write_dot(out, draw(graph, report.findings));
  hash_structure(graph);
  ir_lines(graph, IrStyle::typed);
  count_multiply_accumulates(graph);
}

} // namespace fuzz
