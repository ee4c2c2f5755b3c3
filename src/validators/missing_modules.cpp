#include "connected_graph/attributes.h"
#include "connected_graph/exporter.h"
#include "connected_graph/op_type.h"
#include "connected_graph/quantised_role.h"
#include "connected_graph/value_readers.h"
#include "text/escape.h"
#include "text/places.h"
#include "text/plural.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/suggestions/creation_ops.h"
#include "validators/suggestions/functional_modules.h"
#include "validators/suggestions/module_fixes.h"

#include <model_validator/target_profile.h>

#include <algorithm>
#include <map>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "missing-modules",
                        .code = "GRA002",
                        .summary =
                            "an operation runs as a function, with no module to stand for it",
                        .severity = Severity::warning,
                        .needs = Need::modules};

constexpr std::string_view functional_prefix = "torch.nn.functional.";

/// Dropout with training off passes its input through.
bool is_idle_dropout(const Op& op) {
  if (!op.type.ends_with("dropout")) return false; // those of whole channels are to be modules
  const auto off = [&op](std::string_view name) {
    const bool* on = find_attribute<bool>(op.attributes, name);
    return on != nullptr && !*on;
  };
  return off("training") || off("train");
}

bool needs_module(const ConnectedGraph& graph, OpId id, const ModuleTables& tables) {
  const Op& op = graph.op(id);
  return op.kind == OpKind::functional && !tables.functional_ops.count(op.type) &&
         !tables.passed_through.count(op.type) && !is_idle_dropout(op) && !is_quantised(op) &&
         !is_module_of_its_own(graph, id);
}

/// `F.linear` for a function of torch.nn.functional, else the operator.
std::string spoken_name(const Op& op) {
  if (!op.schema.starts_with(functional_prefix)) return op.type;
  return "F." + op.schema.substr(functional_prefix.size());
}

bool aimet_has(const ModuleTables& tables, const std::string& class_name) {
  return std::ranges::any_of(tables.op_type_map, [&](const auto& entry) {
    return entry.first.starts_with("aimet_torch.") && short_class(entry.first) == class_name;
  });
}

/// Whether the code belongs to a torch composite, such as `MultiheadAttention`, which the user
/// cannot change.
bool inside_torch(const ConnectedGraph& graph, const Op& op) {
  return op.parent != none && graph.module(op.parent).torch_nn;
}

/// What takes torch's norm of a weight out of a model that is only run; the module has plain
/// weights then. Empty where the operation is no part of one.
std::string way_to_fold(const Op& op) {
  if (op.type != "_weight_norm") return {};
  return "fold the norm into its weight before the export, by "
         "`torch.nn.utils.remove_weight_norm(module)`: a hook of torch's computes it, which no "
         "edit of your class reaches";
}

/// The same for a module of a class that torch makes: `ParametrizedConv1d`.
std::string way_to_fold(std::string_view class_name) {
  if (!class_name.starts_with("Parametrized")) return {};
  return "fold what is computed of its weight before the export, by "
         "`torch.nn.utils.parametrize.remove_parametrizations(module, \"weight\")`";
}

std::string types_of(const ConnectedGraph& graph, const std::vector<OpId>& ops) {
  std::string types;
  for (const OpId id : ops) {
    const std::string type = '`' + spoken_name(graph.op(id)) + '`';
    if (types.find(type) == std::string::npos) types += (types.empty() ? "" : ", ") + type;
  }
  return types;
}

class MissingModuleFinder {
public:
  MissingModuleFinder(const ConnectedGraph& graph, const ModuleTables& tables,
                      Diagnostics& diagnostics)
      : graph_(graph), tables_(tables), diagnostics_(diagnostics), fixes_(graph) {}

  void report(OpId id) {
    const Op& op = graph_.op(id);
    Diagnostic finding =
        finding_of(graph_, id, diagnostics_, "operation `" + spoken_name(op) + "` has no module");
    if (makes_tensor(op.type)) return report_made(id, std::move(finding));
    const ModuleForOp module = module_for(op);
    finding.fix = fixes_.use_module(id, module);
    finding.help = finding.fix->description += class_to_write(module);
    finding.notes = notes(module);
    if (const std::string way = way_to_fold(op); !way.empty()) finding.help = way;
    add(std::move(finding));
  }

  /// One finding for all that a torch composite does outside its leaf modules.
  void report_composite(ModuleId id, const std::vector<OpId>& ops) {
    const Module& module = graph_.module(id);
    const std::string name = short_class(module.class_name);
    const bool one = ops.size() == 1;
    Diagnostic finding =
        finding_of(graph_, ops.front(), diagnostics_,
                   plural(ops.size(), "operation") + " inside " + spoken_module(module) + " " +
                       (one ? "has" : "have") + " no module");
    finding.op = OpReference{graph_.op(ops.front()).name, type_of_class(module.class_name)};
    finding.notes = {(one ? "it is " : "they are ") + types_of(graph_, ops)};
    finding.help = way_to_fold(name);
    if (finding.help.empty())
      finding.help = "replace this `nn." + name + "` by your own module, built from modules";
    finding.fix = Fix{Applicability::unsafe, finding.help};
    finding.fix->refusal = "it is in torch's own code";
    add(std::move(finding));
  }

private:
  /// Who converted a model of another framework has no Python class of torch's to change.
  void add(Diagnostic finding) {
    if (!is_of_torch(graph_.origin)) {
      finding.help.clear();
      finding.fix.reset();
    }
    diagnostics_.add(std::move(finding));
  }

  /// An op without inputs needs no module: its tensor is made once, or it is left unchanged.
  void report_made(OpId id, Diagnostic finding) {
    const Op& op = graph_.op(id);
    const MadeTensor made = made_tensor(graph_, id);
    if (!made.obstacle.empty()) {
      finding.notes = {made.obstacle + ", so no buffer can stand for it"};
      finding.help = "leave it as it is, and list it in the configuration: `functional-ops = [\"" +
                     op.type + "\"]` under `[aimet]`";
      return add(std::move(finding));
    }
    Rewrite rewrite = fixes_.rewrite_of(id, Rewrite::Kind::make_buffer);
    rewrite.expression = made.expression;
    const std::string& buffer = rewrite.attribute;
    finding.help = "make it once, as a buffer: `self.register_buffer(\"" + buffer + "\", " +
                   made.expression + ", persistent=False)`" + in_init_of(class_of(op.parent)) +
                   ", and use `self." + buffer + "` here";
    finding.fix = Fix{Applicability::safe, finding.help, {}, std::move(rewrite)};
    add(std::move(finding));
  }

  std::string class_of(ModuleId id) const {
    return id == none ? std::string() : graph_.module(id).class_name;
  }

  /// What there is to say of a class that torch does not have.
  std::string class_to_write(const ModuleForOp& module) const {
    if (module.torch_nn) return {};
    if (aimet_has(tables_, module.class_name))
      return "; aimet_torch has `" + module.class_name + '`';
    return "; `" + module.class_name + "` is a class of your own whose `forward` does this";
  }

  static std::vector<std::string> notes(const ModuleForOp& module) {
    std::vector<std::string> notes;
    if (module.weights)
      notes.emplace_back("its weights stay where they are, and are given to the module with each "
                         "call: one of torch.nn would have its own, under other names");
    if (module.random)
      notes.emplace_back("a module follows `train()` and `eval()`; the function does what its "
                         "argument `training` says");
    return notes;
  }

  const ConnectedGraph& graph_;
  const ModuleTables& tables_;
  Diagnostics& diagnostics_;
  ModuleFixes fixes_;
};

std::string reasons(const std::vector<std::string>& ops) {
  return "Ops with missing modules: " + python_list(ops) +
         "\nThis can be due to several reasons:"
         "\n1. There is no mapping for the op in ConnectedGraph.op_type_map. Add a mapping for "
         "ConnectedGraph to recognize and be able to map the op."
         "\n2. The op is defined as a functional in the forward function, instead of as a class "
         "module. Redefine the op as a class module if possible. Else, check 3."
         "\n3. This op is one that cannot be defined as a class module, but has not been added to "
         "ConnectedGraph.functional_ops. Add to continue.";
}

/// The line that newer versions of AIMET print for each op.
std::string line_of(const ConnectedGraph& graph, const Op& op) {
  const std::string parent =
      op.parent == none ? std::string() : short_class(graph.module(op.parent).class_name);
  return escape(op.name + "; op_type: " + op.type + "   parent module: " + parent);
}

/// Operations that run as functions, without a module for them.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  // Nothing is known about the modules of a frozen file: lost-module-hierarchy says so.
  if (!graph.origin.has_modules) return;
  MissingModuleFinder finder(graph, *context.tables, diagnostics);
  std::vector<std::string> ops;
  std::string lines;
  std::map<ModuleId, std::vector<OpId>> composites;
  // A comparison that steers an `if` is nothing that is quantised.
  const std::vector<bool> only_decides = ops_that_only_decide(graph);
  for (OpId id = 0; id < graph.op_count(); ++id) {
    if (only_decides[id] || !needs_module(graph, id, *context.tables)) continue;
    const Op& op = graph.op(id);
    ops.push_back(op.name);
    lines += (lines.empty() ? "" : "\n") + line_of(graph, op);
    if (inside_torch(graph, op))
      composites[op.parent].push_back(id);
    else
      finder.report(id);
  }
  for (const auto& [module, inside] : composites) finder.report_composite(module, inside);
  if (ops.empty()) return;
  diagnostics.summarise(reasons(ops));
  diagnostics.summarise(std::move(lines));
}

} // namespace

const Check checks::missing_modules(rule, run);

} // namespace model_validator
