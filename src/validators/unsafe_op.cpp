#include "connected_graph/attributes.h"
#include "text/places.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/suggestions/operators.h"
#include "validators/unpickled_names.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace model_validator {
namespace {

constexpr RuleInfo rule{
    .name = "unsafe-op",
    .code = "SER001",
    .summary = "an operator reaches out of the model, or code runs when the file is loaded",
    .severity = Severity::error,
    .on_by_default = true,
    .about_code = false};

constexpr std::array reaching_out = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"aten::from_file", "reads a file of the machine that runs the model"},
    {"aten::load", "reads a file of the machine that runs the model"},
    {"aten::save", "writes a file on the machine that runs the model"},
    {"prim::PythonOp", "runs Python code"},
    {"prim::rpc_async", "calls code on another machine"},
    {"prim::rpc_remote", "calls code on another machine"},
    {"prim::rpc_sync", "calls code on another machine"},
});

/// The side effect of an operator outside the model; empty for one that has none.
std::string_view reach_of(const std::string& schema) {
  const auto found = std::find_if(reaching_out.begin(), reaching_out.end(), [&](const auto& entry) {
    return entry.first == schema_base(schema);
  });
  return found == reaching_out.end() ? std::string_view() : found->second;
}

constexpr const char* do_not_run = "do not run this file unless you trust where it comes from";

void check_op(const ConnectedGraph& graph, OpId id, Diagnostics& diagnostics) {
  for (const Operator& each : operators_of(graph.op(id))) {
    const std::string_view reach = reach_of(each.schema);
    if (reach.empty()) continue;
    Diagnostic finding =
        finding_of(graph, id, diagnostics,
                   '`' + std::string(schema_base(each.schema)) + "` " + std::string(reach));
    finding.help = do_not_run;
    diagnostics.add(std::move(finding));
  }
}

/// Quantized modules of torch pack their weights when they are loaded.
bool packs_weights(const Module& module) {
  return module.class_name.starts_with("torch.ao.nn.") &&
         module.class_name.find("quantized") != std::string::npos;
}

/// LibTorch runs `__setstate__` when it loads a file.
void check_loading(const ConnectedGraph& graph, ModuleId id, Diagnostics& diagnostics) {
  const Module& module = graph.module(id);
  if (!is_true(module.attributes, "__setstate__") || packs_weights(module)) return;
  Diagnostic finding = finding_of_module(graph, id, diagnostics,
                                         "loading this file runs `" +
                                             short_class(module.class_name) + ".__setstate__`");
  finding.method = "__setstate__";
  finding.help = do_not_run;
  diagnostics.add(std::move(finding));
}

/// The names of a pickle that are judged so, as far as a message can hold them.
std::string names_judged(const Unpickled& pickle, UnpickledName judgement) {
  constexpr std::size_t most = 12;
  std::string names;
  std::size_t count = 0;
  for (const std::string& name : pickle.names) {
    if (judge_unpickled(name) != judgement) continue;
    if (++count <= most) names += (names.empty() ? "`" : ", `") + name + '`';
  }
  return count <= most ? names : names + " and " + std::to_string(count - most) + " more";
}

Diagnostic finding_of_pickle(const Unpickled& pickle, const std::string& message,
                             const Diagnostics& diagnostics) {
  Diagnostic finding = diagnostics.start(message);
  finding.method = pickle.entry; // one finding per pickle, each with its own fingerprint
  finding.notes.push_back(pickle.entry.empty()
                              ? "`torch.export.load` evaluates the program's sizes and guards"
                              : "`torch.export.load` unpickles `" + pickle.entry + "`");
  finding.help = do_not_run;
  return finding;
}

/// Python's pickles call what they name when they are loaded.
void check_pickle(const Unpickled& pickle, Diagnostics& diagnostics) {
  if (const std::string code = names_judged(pickle, UnpickledName::code); !code.empty())
    diagnostics.add(finding_of_pickle(pickle, "loading this file runs " + code, diagnostics));
  else if (!pickle.failure.empty())
    diagnostics.add(finding_of_pickle(
        pickle, "what loading this file runs cannot be told: " + pickle.failure, diagnostics));
  if (const std::string objects = names_judged(pickle, UnpickledName::object); !objects.empty()) {
    Diagnostic finding =
        finding_of_pickle(pickle, "loading this file makes objects of " + objects, diagnostics);
    finding.severity = Severity::warning;
    finding.method += " objects";
    finding.help = "load it where you trust these packages and the file, or export the model "
                   "again with tensors and plain values alone as example inputs";
    diagnostics.add(std::move(finding));
  }
}

/// Operators that access files or the network, and code that runs at load.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  for (OpId id = 0; id < graph.op_count(); ++id) check_op(graph, id, diagnostics);
  for (ModuleId id = 0; id < graph.modules().size(); ++id) check_loading(graph, id, diagnostics);
  for (const Unpickled& pickle : graph.origin.unpickled) check_pickle(pickle, diagnostics);
}

} // namespace

const Check checks::unsafe_op(rule, run);

} // namespace model_validator
