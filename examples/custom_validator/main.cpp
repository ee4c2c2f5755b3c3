// usage: custom_validator [MODEL]
//
// Runs the check over a model file, or over a small graph made here.
#include "too_many_activations.h"

#include <model_validator/graph_builder.h>
#include <model_validator/lint.h>
#include <model_validator/registry.h>
#include <model_validator/target_profile.h>

#include <iostream>
#include <memory>
#include <string>

using namespace model_validator;

namespace {

ConnectedGraph small_graph() {
  GraphBuilder graph;
  OpId last = graph.add_op({.name = "x", .type = "input", .kind = OpKind::input});
  for (const std::string type : {"relu", "gelu", "relu", "silu"}) {
    const OpId next = graph.add_op({.name = type + '_' + std::to_string(last), .type = type});
    graph.add_product(last, next, {.name = "value"});
    last = next;
  }
  return graph;
}

int report(const ModelReport& report) {
  for (const Diagnostic& finding : report.findings)
    std::cout << finding.code << ' ' << finding.rule << ": " << finding.message << '\n'
              << "  help: " << finding.help << '\n';
  std::cout << report.findings.size() << " findings in " << report.ops << " ops\n";
  return report.status == ModelStatus::passed ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) try {
  Registry registry;
  registry.add(std::make_shared<TooManyActivations>());

  const ConnectedGraph graph = count > 1 ? read_graph(arguments[1]) : small_graph();
  const ModuleTables tables;
  Context context;
  context.tables = &tables;
  return report(lint(graph, {registry.find("too-many-activations")}, context));
} catch (const Error& error) {
  std::cerr << error.what() << '\n' << error.hint() << '\n';
  return 2;
}
