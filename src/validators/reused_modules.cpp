#include "connected_graph/exporter.h"
#include "text/lists.h"
#include "text/places.h"
#include "validators/checks.h"
#include "validators/suggestions/constructor.h"
#include "validators/suggestions/module_reuse.h"
#include "validators/suggestions/separate_modules.h"
#include "validators/suggestions/source_calls.h"

#include <model_validator/data/contains.h>

#include <set>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "reused-modules",
                        .code = "GRA001",
                        .summary = "a module is called more than once in one run of the model",
                        .severity = Severity::warning,
                        .needs = Need::modules};

bool is_loop(const RepeatedCall& calls) { return calls.first && calls.first == calls.second; }

std::string headline(const Module& module, const RepeatedCall& calls) {
  const std::string times = std::to_string(module.calls) + " times";
  return spoken_module(module, "module ") + " is called " +
         (is_loop(calls) ? "in a loop, at least " + times : times);
}

/// The places, each once, that the calls of a module are reached from, at one distance from them;
/// empty where one is not known.
std::vector<std::string> places_above(const ConnectedGraph& graph, const Module& module,
                                      std::size_t distance) {
  std::vector<std::string> places;
  for (const CallSite& site : module.call_sites) {
    const auto chain = graph.call_chain(site.frame);
    if (distance >= chain.size()) return {};
    std::string at = place(graph.location(chain[distance]));
    if (at.empty()) return {};
    if (!contains(places, at)) places.push_back(std::move(at));
  }
  return places;
}

/// Calls on one line of a function differ in who called the function.
void note_callers(const ConnectedGraph& graph, const Module& module, const RepeatedCall& calls,
                  Diagnostic& finding) {
  const std::size_t deepest = graph.call_chain(calls.first->frame).size();
  for (std::size_t distance = 0; distance < deepest; ++distance)
    if (const auto places = places_above(graph, module, distance); places.size() > 1) {
      finding.notes.push_back("the calls are reached from " + list_in_words(places));
      return;
    }
  if (!is_loop(calls) && graph.location(calls.first->frame).known())
    finding.notes.emplace_back("the calls are on one line");
}

/// A module that several others share: a trace keeps its path in one of them alone.
void note_sharers(const ConnectedGraph& graph, ModuleId id, Diagnostic& finding) {
  std::vector<std::string> names;
  for (const ModuleId caller : callers_of(graph, id))
    if (caller != none && !graph.module_path(caller).empty())
      names.push_back("`" + graph.module_path(caller) + "`");
  constexpr std::size_t most = 6;
  if (names.size() > 1)
    finding.notes.push_back("the modules that call it are " +
                            first_in_words(names, names.size() > most + 1 ? most : names.size()));
}

void locate(const ConnectedGraph& graph, const Module& module, const RepeatedCall& calls,
            Diagnostic& finding) {
  if (!calls.second) return;
  auto second = location_of(graph, calls.second->frame, "second call");
  auto first = location_of(graph, calls.first->frame, "first call");
  const bool one_place = first.source == second.source;
  if (one_place) second.role = is_loop(calls) ? "call in a loop" : "calls";
  finding.locations.push_back(std::move(second));
  if (one_place) return note_callers(graph, module, calls, finding);
  if (first.source.known()) finding.notes.push_back("first call at " + place(first.source));
  finding.locations.push_back(std::move(first));
}

void note_other_calls(const ConnectedGraph& graph, const Module& module, Diagnostic& finding) {
  std::set<std::string> seen;
  for (const DiagnosticLocation& location : finding.locations) seen.insert(place(location.source));
  for (const CallSite& site : module.call_sites) {
    const SourceLocation& source = graph.location(graph.user_frame(site.frame));
    if (source.known() && seen.insert(place(source)).second)
      finding.notes.push_back("also called at " + place(source));
  }
}

Rewrite rewrite_of(const ConnectedGraph& graph, ModuleId id, const SourceCalls& calls) {
  Rewrite rewrite;
  rewrite.kind = callers_of(graph, id).size() > 1 ? Rewrite::Kind::separate_owners
                                                  : Rewrite::Kind::separate_calls;
  rewrite.expression = construct_like(graph, id);
  rewrite.calls = calls.of_module(id);
  rewrite.scripted = !graph.origin.traced && graph.origin.format == FileFormat::torchscript;
  return rewrite;
}

void add_fix(const ConnectedGraph& graph, ModuleId id, bool stateful, const SourceCalls& calls,
             Diagnostic& finding) {
  finding.fix = Fix{stateful ? Applicability::unsafe : Applicability::safe,
                    finding.help,
                    {},
                    rewrite_of(graph, id, calls)};
  if (!stateful) return;
  finding.fix->refusal = "it has weights, which a second module would not share";
  finding.notes.push_back(
      "`" + graph.module(id).path +
      "` has weights: a second module unties them, which is right only if you intend it");
}

class ReusedModuleFinder {
public:
  ReusedModuleFinder(const ConnectedGraph& graph, Diagnostics& diagnostics)
      : graph_(graph), diagnostics_(diagnostics), names_(graph),
        stateful_(modules_with_state(graph)), calls_(graph) {}

  void report(ModuleId id) {
    const Module& module = graph_.module(id);
    const RepeatedCall calls = repeated_call(graph_, module);
    Diagnostic finding = diagnostics_.start(headline(module, calls));
    finding.module = module.path;
    finding.aliases = module.aliases;
    finding.parent =
        graph_.module_path(calls.second ? caller_of(graph_, id, *calls.second) : module.parent);
    if (calls.second) finding.method = calls.second->method;
    if (calls.second && calls.second->op != none) {
      const Op& op = graph_.op(calls.second->op);
      finding.op = OpReference{op.name, op.type};
    }
    locate(graph_, module, calls, finding);
    note_other_calls(graph_, module, finding);
    note_sharers(graph_, id, finding);
    for (const std::string& alias : module.aliases)
      finding.notes.push_back("the same module is also `" + alias + '`');
    if (is_of_torch(graph_.origin)) {
      finding.help = separate_modules_help(graph_, id, calls, names_);
      add_fix(graph_, id, stateful_[id], calls_, finding);
    }
    diagnostics_.add(std::move(finding));
  }

private:
  const ConnectedGraph& graph_;
  Diagnostics& diagnostics_;
  ModuleNames names_;
  std::vector<bool> stateful_;
  SourceCalls calls_;
};

/// Modules that one run of the model calls more than once.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  // Nothing is known about the modules of a frozen file: lost-module-hierarchy says so.
  if (!graph.origin.has_modules) return;
  ReusedModuleFinder finder(graph, diagnostics);
  std::vector<std::string> leaves;
  for (ModuleId id = 0; id < graph.modules().size(); ++id) {
    const Module& module = graph.module(id);
    if (module.calls < 2) continue;
    if (module.leaf) leaves.push_back(module.path);
    if (!explained_by_caller(graph, id)) finder.report(id);
  }
  if (!leaves.empty())
    diagnostics.summarise(
        "The following modules are used more than once in the model: " + python_list(leaves) +
        "\nAIMET features are not designed to work with reused modules. Please "
        "redefine your model to use distinct modules for each instance.");
}

} // namespace

const Check checks::reused_modules(rule, run);

} // namespace model_validator
