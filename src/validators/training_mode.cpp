#include "connected_graph/attributes.h"
#include "connected_graph/exporter.h"
#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"
#include "text/places.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/suggestions/operators.h"
#include "validators/suggestions/source_calls.h"

#include <algorithm>
#include <variant>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "training-mode",
                        .code = "GRA005",
                        .summary = "dropout or batch norm runs in training mode",
                        .severity = Severity::warning,
                        .about_code = false};

bool is_dropout(const std::string& type) { return does(type, Does::drops_out); }
bool is_norm(const std::string& type) {
  return type.starts_with("batch_norm") || type.starts_with("instance_norm") ||
         type == "sync_batch_norm";
}

bool has_parameter(const ConnectedGraph& graph, const Op& op, std::string_view name) {
  return std::ranges::any_of(
      op.parameters, [&](ParameterId id) { return graph.parameters().at(id).name == name; });
}

/// A norm that runs as a function over statistics that its class keeps, as subclasses of
/// `nn.BatchNorm2d` call it: it follows the mode of the model, as a module does.
bool is_norm_with_statistics(const ConnectedGraph& graph, const Op& op) {
  return op.kind == OpKind::functional && is_norm(op.type) &&
         has_parameter(graph, op, "running_mean");
}

bool follows_mode(const ConnectedGraph& graph, const Op& op) {
  if (op.kind == OpKind::module) return is_dropout(op.type) || is_norm(op.type);
  return is_norm_with_statistics(graph, op);
}

/// Dropout that drops nothing is the same in both modes.
bool drops(const std::vector<Attribute>& attributes) {
  const auto is_zero = [&attributes](const char* name) {
    const AttributeValue* share = find_attribute(attributes, name);
    return share && (*share == AttributeValue(0.0) || *share == AttributeValue(std::int64_t{0}));
  };
  const AttributeValue* layers = find_attribute(attributes, "num_layers");
  const bool between_layers = layers == nullptr || *layers != AttributeValue(std::int64_t{1});
  return !is_zero("p") && !is_zero("ratio") && !is_zero("dropout") && between_layers;
}

/// ONNX's operand for it is no constant: other nodes, or the caller, decide.
bool is_computed(const std::vector<Attribute>& attributes) {
  const AttributeValue* mode = find_attribute(attributes, "training_mode");
  return mode && *mode == AttributeValue(std::string("computed"));
}

/// A trace and a function record in the operator whether it is in training mode.
bool say_training(const std::vector<Attribute>& attributes) {
  for (const char* argument : {"train", "training", "use_input_stats", "training_mode"})
    if (is_true(attributes, argument) && drops(attributes)) return true;
  return is_computed(attributes) && drops(attributes);
}

bool operators_train(const Op& op) {
  return std::ranges::any_of(operators_of(op),
                             [](const Operator& each) { return say_training(each.attributes); });
}

/// Attention has no mode: it drops what it is told to.
bool drops_in_attention(const std::vector<Attribute>& attributes) {
  const AttributeValue* share = find_attribute(attributes, "dropout_p");
  return share && std::holds_alternative<double>(*share) && std::get<double>(*share) > 0;
}

/// Whether something within it drops for good, whatever its class or function is called.
bool drops_within(const Op& op) {
  const auto drops_for_good = [](const Operator& each) {
    if (drops_in_attention(each.attributes)) return true;
    return say_training(each.attributes) && does(type_of_schema(each.schema), draws_in_training);
  };
  return drops_in_attention(op.attributes) ||
         (op.body && std::ranges::any_of(*op.body, drops_for_good));
}

/// A quantised Dropout only hands its input on, in either mode.
bool is_quantised_dropout(const ConnectedGraph& graph, const Op& op) {
  return op.kind == OpKind::module && is_dropout(op.type) &&
         graph.module(op.module).class_name.starts_with("torch.ao.nn.quantized.");
}

/// Of a trace, the operators say it.
bool states_its_mode(const ConnectedGraph& graph, ModuleId module) {
  return module != none && !graph.origin.traced &&
         find_attribute(graph.module(module).attributes, "training") != nullptr;
}

bool trains(const ConnectedGraph& graph, const Op& op) {
  if (is_quantised_dropout(graph, op)) return false;
  if (drops_within(op)) return true;
  if (is_norm(op.type) && op.kind == OpKind::module && !has_parameter(graph, op, "running_mean"))
    return false; // keeps no statistics: the same in both modes
  if (op.kind == OpKind::module && states_its_mode(graph, op.module))
    return is_true(graph.module(op.module).attributes, "training") &&
           drops(graph.module(op.module).attributes);
  if (is_norm_with_statistics(graph, op) && states_its_mode(graph, op.parent))
    return is_true(graph.module(op.parent).attributes, "training");
  return operators_train(op);
}

/// A functional norm without running statistics always computes them from its input. ONNX's states
/// its mode.
bool concerns(const ConnectedGraph& graph, const Op& op) {
  if (follows_mode(graph, op) || drops_within(op)) return true;
  if (op.kind != OpKind::functional) return false;
  return does(op.type, draws_in_training) ||
         (graph.origin.format == FileFormat::onnx && is_norm(op.type));
}

/// The model of another framework has no `eval()`.
constexpr const char* for_inference = "export the model for inference";

/// An ONNX file does not say whether a module's mode or an argument of a function decided.
std::string help_for(const ConnectedGraph& graph, bool follows_mode) {
  if (!is_of_torch(graph.origin)) return for_inference;
  if (follows_mode) return "call `model.eval()` before the export";
  const std::string argument = "pass `training=self.training`, or use the module `nn.Dropout`";
  return graph.origin.format == FileFormat::onnx
             ? "call `model.eval()` before the export; where a function drops out, " + argument
             : argument;
}

Diagnostic whole_model(const ConnectedGraph& graph, const Diagnostics& diagnostics,
                       std::size_t count) {
  Diagnostic finding = diagnostics.start("the model was exported in training mode");
  finding.notes.push_back(std::to_string(count) +
                          " dropout and batch norm calls run in training mode");
  finding.help =
      is_of_torch(graph.origin) ? "call `model.eval()` before the export" : for_inference;
  finding.fix = Fix{Applicability::unsafe, finding.help, {}};
  return finding;
}

/// Whether the call of a function can say the mode.
bool takes_mode(const ConnectedGraph& graph, const Op& op) {
  return op.kind == OpKind::functional && is_of_torch(graph.origin) && is_dropout(op.type) &&
         !drops_in_attention(op.attributes);
}

Diagnostic one_op(const ConnectedGraph& graph, OpId id, const Diagnostics& diagnostics,
                  SourceCalls& calls) {
  const Op& op = graph.op(id);
  const bool module = follows_mode(graph, op) || op.kind == OpKind::module;
  const std::string when =
      is_computed(op.attributes) ? "where another value says so" : "whatever the model's mode is";
  const ModuleId named = op.kind == OpKind::module ? op.module : op.parent;
  Diagnostic finding =
      finding_of(graph, id, diagnostics,
                 module && named != none
                     ? spoken_module(graph.module(named), "module ") + " runs in training mode"
                     : "`" + op.type + "` runs in training mode " + when);
  finding.help = drops_in_attention(op.attributes)
                     ? "pass `dropout_p=self.p if self.training else 0.0`"
                     : help_for(graph, module);
  finding.fix = Fix{Applicability::unsafe, finding.help, {}};
  if (takes_mode(graph, op))
    finding.fix->rewrite = calls.rewrite_of(id, Rewrite::Kind::follow_mode);
  return finding;
}

/// Dropout and batch norm that were exported in training mode.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {

  std::vector<OpId> training;
  std::size_t modules = 0;
  std::size_t concerned = 0;
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    if (!concerns(graph, op)) continue;
    concerned += follows_mode(graph, op);
    if (!trains(graph, op)) continue;
    training.push_back(id);
    modules += follows_mode(graph, op);
  }
  const bool whole = modules > 1 && modules == concerned;
  if (whole) diagnostics.add(whole_model(graph, diagnostics, training.size()));
  SourceCalls calls(graph);
  for (const OpId id : training)
    if (!whole || !follows_mode(graph, graph.op(id)))
      diagnostics.add(one_op(graph, id, diagnostics, calls));
}

} // namespace

const Check checks::training_mode(rule, run);

} // namespace model_validator
