#include "text/places.h"
#include "text/plural.h"
#include "validators/aimet_graph.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/suggestions/module_fixes.h"

#include <model_validator/target_profile.h>

#include <algorithm>
#include <map>
#include <set>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "aimet-readiness",
                        .code = "QNT009",
                        .summary = "what AIMET's features will do with the model",
                        .severity = Severity::info,
                        .about_code = false};

class ReadinessReporter {
public:
  ReadinessReporter(const ConnectedGraph& graph, const ModuleTables& tables,
                    Diagnostics& diagnostics)
      : graph_(graph), tables_(tables), aimet_(graph, tables), diagnostics_(diagnostics) {}

  void run() {
    report_folded(aimet_.folded_norms());
    report_other_norms(aimet_.folded_norms());
    report_equalisation();
    report_functions_in_rows();
    report_unknown_classes();
  }

private:
  const std::string& path_of(OpId op) const { return graph_.module_path(graph_.op(op).module); }

  void report_folded(const std::vector<FoldedNorm>& folded) {
    if (folded.empty()) return;
    Diagnostic finding = diagnostics_.start(
        "batch-norm folding: " + plural(folded.size(), "batch norm") + " will be folded");
    for (const FoldedNorm& each : folded)
      finding.notes.push_back("`" + path_of(each.norm) + "` into `" + path_of(each.layer) +
                              (each.backward ? "`, before it" : "`, after it"));
    diagnostics_.add(std::move(finding));
  }

  /// Norms that AIMET keeps, and those that it does not see.
  void report_other_norms(const std::vector<FoldedNorm>& folded) {
    std::set<ModuleId> done;
    for (const FoldedNorm& each : folded) done.insert(graph_.op(each.norm).module);
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      const Op& op = graph_.op(id);
      if (is_folded_norm(graph_, id)) done.insert(op.module);
      if (!aimet_.is_norm(id) || !done.insert(op.module).second) continue;
      Diagnostic finding = finding_of(graph_, id, diagnostics_,
                                      spoken_module(graph_.module(op.module), "batch norm ") +
                                          " will stay a batch norm");
      finding.notes.emplace_back(
          "no convolution or linear module stands directly before or after it");
      diagnostics_.add(std::move(finding), "put it right after a convolution or linear layer");
    }
    report_invisible_norms(done);
  }

  /// Those that are told by their names alone. A class that wraps a batch norm is none.
  void report_invisible_norms(const std::set<ModuleId>& done) {
    std::set<ModuleId> wrappers;
    for (const Module& module : graph_.modules())
      if (is_named_norm(module)) wrappers.insert(module.parent);
    for (ModuleId id = 0; id < graph_.modules().size(); ++id)
      if (!done.contains(id) && !wrappers.contains(id) && is_named_norm(graph_.module(id)))
        report_invisible(id);
  }

  void report_invisible(ModuleId id) {
    const Module& module = graph_.module(id);
    Diagnostic finding = finding_of_module(
        graph_, id, diagnostics_, spoken_module(module, "batch norm ") + " is invisible to AIMET");
    finding.notes.emplace_back(module.torch_nn
                                   ? "the forward pass does not call it"
                                   : "AIMET knows classes, not what they are derived from");
    diagnostics_.add(std::move(finding), module.torch_nn
                                             ? "remove it"
                                             : "use torch.nn's own class, and call what the "
                                               "other adds as modules of its own");
  }

  void report_equalisation() {
    for (const std::vector<OpId>& row : aimet_.rows_of_convolutions())
      for (const std::vector<OpId>& set : aimet_.equalisation_sets(row)) {
        std::string names;
        for (const OpId op : set) names += (names.empty() ? "`" : ", `") + path_of(op) + "`";
        Diagnostic finding =
            finding_of(graph_, set.front(), diagnostics_,
                       "cross-layer equalisation will scale " + names + " against each other");
        if (set == aimet_.equalisation_sets(row).back())
          finding.notes.push_back("the row ends at `" + path_of(row.back()) +
                                  "`: " + why_row_ends(row.back()));
        diagnostics_.add(std::move(finding));
      }
  }

  void report_functions_in_rows() {
    ModuleFixes fixes(graph_);
    for (const OpId id : aimet_.functions_in_rows()) {
      const Op& op = graph_.op(id);
      Diagnostic finding = finding_of(graph_, id, diagnostics_,
                                      "cross-layer equalisation ends at the function `" + op.type +
                                          "`: as a module it would go on");
      finding.fix = fixes.use_module(id, module_for(op));
      finding.help = finding.fix->description;
      diagnostics_.add(std::move(finding));
    }
  }

  std::string why_row_ends(OpId last) const {
    const OpId after = aimet_.next(last);
    if (after == none) return "several operations read its result";
    const Op& op = graph_.op(after);
    if (op.kind == OpKind::output) return "its result is an output";
    return op.kind == OpKind::module
               ? "a " + short_class(graph_.module(op.module).class_name) + " reads its result"
               : "the function `" + op.type + "` reads its result";
  }

  /// Code to copy, for a class that need not be quantised.
  static std::string how_to_register(const std::string& name) {
    const std::string type = short_class(name);
    const std::size_t dot = name.rfind('.');
    const std::string from = dot == std::string::npos ? "" : "from " + name.substr(0, dot) + " ";
    return "before QuantizationSimModel, write `from aimet_torch.nn import QuantizationMixin; " +
           from + "import " + type + "; QuantizationMixin.ignore(" + type +
           ")` if it need not be quantised, or register a quantised class of it, as "
           "`model_validator rule aimet-readiness` shows";
  }

  /// QuantizationSimModel fails on the first of them, and names all.
  void report_unknown_classes() {
    std::map<std::string, std::vector<ModuleId>> unknown;
    for (ModuleId id = 0; id < graph_.modules().size(); ++id) {
      const Module& module = graph_.module(id);
      // AIMET asks for nothing where there is no `forward`.
      const bool runs = module.calls > 0 || !module.parameters.empty();
      if (module.leaf && runs && !module.class_name.empty() && module.parent != none &&
          !tables_.quantised_classes.contains(module.class_name))
        unknown[module.class_name].push_back(id);
    }
    for (const auto& [name, modules] : unknown) {
      Diagnostic finding =
          finding_of_module(graph_, modules.front(), diagnostics_,
                            "QuantizationSimModel will fail: it does not know the leaf class `" +
                                name + "` of " + plural(modules.size(), "module"));
      finding.severity = Severity::warning;
      diagnostics_.add(std::move(finding), how_to_register(name));
    }
  }

  const ConnectedGraph& graph_;
  const ModuleTables& tables_;
  const AimetGraph aimet_;
  Diagnostics& diagnostics_;
};

/// With the target `aimet`: what folding of batch norms, cross-layer equalisation and
/// QuantizationSimModel will do with the model.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  if (!graph.origin.has_modules) return;
  for (const TargetProfile* target : context.targets)
    if (target->modules && !target->modules->quantised_classes.empty())
      ReadinessReporter(graph, *target->modules, diagnostics).run();
}

} // namespace

const Check checks::aimet_readiness(rule, run);

} // namespace model_validator
