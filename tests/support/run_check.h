#pragma once

#include "support/sample_graph.h"

#include <model_validator/target_profile.h>
#include <model_validator/validator.h>

#include <functional>
#include <string>
#include <vector>

namespace model_validator::test {

/// What a check says of a graph.
/// @param prepare  gives the context what else the check may know
inline Diagnostics run_check(const Validator& check, const ConnectedGraph& graph,
                             const ModuleTables& tables = {}, RuleOptions options = {},
                             const std::function<void(Context&)>& prepare = nullptr) {
  Context context;
  context.tables = &tables;
  context.options[std::string(check.info().name)] = std::move(options);
  if (prepare) prepare(context);
  Diagnostics diagnostics(check.info());
  check.run(graph, context, diagnostics);
  return diagnostics;
}

/// What a check says of a graph that was written line by line:
/// `constexpr Checker check{checks::unsafe_op};`
struct Checker {
  const Validator& check;

  Diagnostics operator()(const SampleGraph& builder, RuleOptions options = {}) const {
    return run_check(check, builder.graph, {}, std::move(options));
  }
};

/// The paths of the modules that were found, in order.
inline std::vector<std::string> found_modules(const Diagnostics& diagnostics) {
  std::vector<std::string> paths;
  for (const Diagnostic& finding : diagnostics.findings()) paths.push_back(finding.module);
  return paths;
}

} // namespace model_validator::test
