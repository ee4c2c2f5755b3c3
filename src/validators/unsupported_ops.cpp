#include "connected_graph/op_type.h"
#include "connected_graph/value_readers.h"
#include "rules/judging/islands.h"
#include "rules/judging/judge_file.h"
#include "rules/judging/judge_forms.h"
#include "text/escape.h"
#include "text/places.h"
#include "text/plural.h"
#include "validators/checks.h"
#include "validators/left_outside.h"
#include "validators/op_finding.h"

#include <model_validator/target_profile.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace model_validator {
namespace {

using rules::Refusal;
using rules::RefusedOp;

constexpr RuleInfo rule{.name = "unsupported-ops",
                        .code = "TGT001",
                        .summary = "an operator that the target's converter does not take",
                        .severity = Severity::error,
                        .about_code = false};

/// Forms of a model that hold what its inputs run, and nothing else.
constexpr const char* what_runs = "an exported program, `torch.export.export(model, inputs)`, or a "
                                  "trace, `torch.jit.trace(model, inputs)`";

std::string target_text(const TargetProfile& target) {
  std::string text = "`" + target.name + "`";
  if (target.opset > 0) text += " (opset " + std::to_string(target.opset) + ")";
  if (!target.release.version.empty()) text += " (" + target.release.version + ")";
  return text;
}

/// What is wrong with one that the target loads all the same.
std::string message_of_mishap(const TargetProfile& target, const Refusal& refusal) {
  const std::string name = " operator `" + refusal.name + "`";
  // Of what runs elsewhere, it is the model that is not lowered or does not run.
  if (target.falls_back && refusal.mishap == Mishap::fails)
    return target_text(target) + " fails with" + name + ": " + refusal.reason;
  return target_text(target) + " takes" + name + " and " +
         (refusal.mishap == Mishap::wrong ? "computes it wrongly: " : "fails when it runs: ") +
         refusal.reason;
}

std::string message_of(const TargetProfile& target, const std::vector<Refusal>& refusals) {
  if (refusals.front().mishap != Mishap::refused)
    return message_of_mishap(target, refusals.front());
  std::string names;
  for (const Refusal& refusal : refusals)
    names += (names.empty() ? "`" : ", `") + refusal.name + "`";
  const bool one = refusals.size() == 1;
  const std::string verb = !target.falls_back ? " cannot be compiled for "
                           : one              ? " falls back, compiled for "
                                              : " fall back, compiled for ";
  return (one ? "operator " : "operators ") + names + verb + target_text(target) + ": " +
         refusals.front().reason;
}

bool knows_quantised_classes(const TargetProfile& target) {
  return target.modules && !target.modules->quantised_classes.empty();
}

std::string help_of(const std::vector<Refusal>& refusals) {
  std::string help;
  for (const Refusal& refusal : refusals)
    if (!refusal.replacement.empty()) help += (help.empty() ? "" : "; ") + refusal.replacement;
  return help;
}

class UnsupportedOpFinder {
public:
  /// @param numbers  of the graph, once they are asked for
  UnsupportedOpFinder(const ConnectedGraph& graph, const TargetProfile& target,
                      std::optional<NumbersOfData>& numbers, Diagnostics& diagnostics)
      : graph_(graph), target_(target), numbers_(numbers), diagnostics_(diagnostics) {}

  void run() {
    if (!rules::knows_format(target_, graph_)) return report_format();
    if (knows_quantised_classes(target_)) return; // aimet-readiness says what they lead to
    for (const rules::FileRefusal& refusal : rules::judge_versions(target_, graph_))
      report_file(refusal);
    for (const rules::RefusedForm& form : rules::judge_forms(target_, graph_))
      if (form.mishap != Mishap::depends) report_form(form);
    const std::vector<RefusedOp> refused = rules::judge_graph(target_, graph_);
    for (const RefusedOp& each : refused) report(each);
    if (target_.falls_back) report_left_outside(refused);
    if (rules::graph_at_hand(graph_) == rules::Handed::recorded) report_file_as_it_stands(refused);
    if (rules::judges_nodes(target_, graph_)) report_unknown();
    if (rules::reads_another_release(target_)) report_other_release();
    if (!ops_.empty()) summarise();
  }

private:
  /// Silence would be taken for a verdict.
  void report_format() {
    if (target_.modules) return report_lost_modules();
    const bool onnx = graph_.origin.format == FileFormat::onnx;
    add("target `" + target_.name + "` was not judged: it is a table of " +
            (onnx ? "PyTorch's operators, and this is an ONNX file"
                  : "the operators of ONNX files, and this is not one"),
        onnx ? "name a target of ONNX files, `onnxruntime`, `openvino` or `tensorrt`"
             : "check the ONNX file that the model is exported to",
        Severity::warning);
  }

  void report_lost_modules() {
    add("target `" + target_.name +
            "` was not judged: it knows classes of modules, and the file does not say which "
            "modules the model is made of",
        "check the model before it is frozen, or exported to ONNX", Severity::warning);
  }

  /// A target may take the recorded graph but not the file, and the user has the file.
  void report_file_as_it_stands(const std::vector<RefusedOp>& recorded) {
    std::set<std::string> names;
    for (const RefusedOp& each : rules::judge_graph(target_, graph_, rules::Handed::file))
      for (const Refusal& refusal : each.refusals) names.insert(refusal.name);
    for (const RefusedOp& each : recorded)
      for (const Refusal& refusal : each.refusals) names.erase(refusal.name);
    if (names.empty()) return;
    std::string listed;
    for (const std::string& name : names) listed += (listed.empty() ? "`" : ", `") + name + "`";
    add("only what runs with these inputs was judged: the file itself also has " + listed +
            ", which cannot be compiled for " + target_text(target_),
        std::string("convert instead ") + what_runs, Severity::info);
  }

  void report_left_outside(const std::vector<RefusedOp>& refused) {
    const std::set<OpId> ops = rules::run_elsewhere(refused);
    if (ops.empty()) return;
    add("compiled for " + target_text(target_) + ", " + left_outside(graph_, ops),
        "`partition --target " + target_.name +
            "` says where each begins and ends, and which operator would join most of them",
        Severity::info);
  }

  /// Operators that no target was asked about: reported, and counted against a model where the
  /// runtime needs a library of somebody's for them.
  void report_unknown() {
    std::map<std::pair<std::string, std::string>, std::size_t> calls;
    for (const auto& [node, found] : rules::judge_each(target_, *graph_.program, graph_.regions()))
      if (found.unknown) ++calls[{node->schema, *found.unknown}];
    for (const auto& [asked, count] : calls) report_unknown(asked.first, asked.second, count);
  }

  void report_other_release() {
    add("the operators were judged by the table of " + target_.package + ", not of " +
            target_.name + " " + target_.release.version,
        "load the file with " + target_.name + " " + target_.release.version +
            ", or make a table of that version: " + target_.made_by,
        Severity::info);
  }

  void report_unknown(const std::string& name, const std::string& why, std::size_t count) {
    const bool nobody_provides_it = why.empty();
    add("it is not known whether " + target_text(target_) + " takes operator `" + name +
            "`, called " + std::to_string(count) + (count == 1 ? " time: " : " times: ") +
            (nobody_provides_it ? "it is neither an ONNX operator nor one of the runtime's own"
                                : why),
        target_.file.asked_models.empty()
            ? "load the file with " + target_.name + " and the library that provides `" + name + "`"
            : "ask it, where it is: `model_validator probe --write-profile`",
        nobody_provides_it ? Severity::warning : Severity::info);
  }

  void add(std::string message, std::string help, Severity severity) {
    Diagnostic finding = diagnostics_.start(std::move(message));
    finding.severity = severity;
    diagnostics_.add(std::move(finding), std::move(help));
  }

  void report_file(const rules::FileRefusal& refusal) {
    diagnostics_.add(diagnostics_.start("the file cannot be loaded by " + target_text(target_) +
                                        ": " + refusal.reason),
                     refusal.help);
  }

  void report_form(const rules::RefusedForm& refused) {
    const char* does = refused.mishap == Mishap::wrong   ? " computes the file wrongly: "
                       : refused.mishap == Mishap::fails ? " fails when it runs the file: "
                                                         : " does not take the file: ";
    Diagnostic finding = finding_of(graph_, refused.form->op, diagnostics_,
                                    target_text(target_) + does + refused.form->sentence);
    finding.notes.push_back(refused.reason);
    if (refused.form->alike > 0)
      finding.notes.push_back("the same holds for " + plural(refused.form->alike, "more place"));
    diagnostics_.add(std::move(finding));
  }

  void report(const RefusedOp& refused) {
    Diagnostic finding =
        finding_of(graph_, refused.op, diagnostics_, message_of(target_, refused.refusals));
    if (target_.falls_back && refused.refusals.front().mishap == Mishap::refused)
      finding.severity = Severity::warning;
    finding.help = help_of(refused.refusals);
    for (std::size_t i = 1; i < refused.refusals.size(); ++i)
      finding.notes.push_back("`" + refused.refusals[i].name + "`: " + refused.refusals[i].reason);
    if (refused.op != none) {
      add_reader(refused.op, finding);
      note_op(graph_.op(refused.op));
    } else if (refused.write != nullptr)
      describe_write(*refused.write, finding);
    else if (refused.operator_of_file != nullptr)
      describe_code(*refused.operator_of_file, finding);
    else
      describe_node(*refused.node, finding);
    diagnostics_.add(std::move(finding));
  }

  /// Where the values are read that decide a branch or a loop.
  void add_reader(OpId op, Diagnostic& finding) {
    if (graph_.op(op).kind != OpKind::control_flow) return;
    if (!numbers_) numbers_.emplace(graph_);
    const OpId reader = numbers_->source_of_condition(op);
    if (reader == none) return;
    auto place = location_of(graph_, graph_.op(reader).frame, "values are read");
    const bool known = std::ranges::any_of(finding.locations, [&](const auto& each) {
      return each.source.file == place.source.file && each.source.line == place.source.line;
    });
    if (place.source.known() && !known) finding.locations.push_back(std::move(place));
  }

  void note_op(const Op& op) {
    const std::string parent =
        op.parent == none ? std::string() : short_class(graph_.module(op.parent).class_name);
    ops_.push_back(op.name);
    lines_ += (lines_.empty() ? "" : "\n") +
              escape(op.name + "; op_type: " + op.type + "   parent module: " + parent);
  }

  void describe_code(const Operator& op, Diagnostic& finding) {
    const std::string type = type_of_schema(op.schema);
    finding.op = OpReference{op.schema, type};
    add_definition(op.source, finding);
    if (!target_.frozen && graph_.origin.format == FileFormat::torchscript) {
      finding.notes.emplace_back(
          "the converter reads all the code of the file, including the arms that no run can take");
      if (finding.help.empty())
        finding.help = std::string("convert ") + what_runs +
                       ", which leave this out (`--input` judges that); or a frozen model, "
                       "`torch.jit.freeze(model.eval())`, where the code that cannot run is gone";
    }
    ops_.push_back(op.schema);
    lines_ += (lines_.empty() ? "" : "\n") + escape(op.schema + "; op_type: " + type);
  }

  void describe_write(const StateWrite& write, Diagnostic& finding) {
    const std::string& module = graph_.module_path(write.module);
    const std::string name = module.empty() ? write.attribute : module + "." + write.attribute;
    finding.message += ": `" + name + "`";
    finding.method = write.attribute; // each with a fingerprint of its own
    if (auto place = location_of(graph_, write.frame, "write"); place.source.known())
      finding.locations.push_back(std::move(place));
    ops_.push_back(name);
    lines_ += (lines_.empty() ? "" : "\n") + escape(name + "; op_type: " + write.schema);
  }

  /// A constant that other ops hold.
  void describe_node(const ProgramNode& node, Diagnostic& finding) {
    finding.op = OpReference{node.name, type_of_schema(node.schema)};
    add_definition(graph_.location(node.frame), finding);
    ops_.push_back(node.name);
  }

  static void add_definition(const SourceLocation& source, Diagnostic& finding) {
    if (source.known()) finding.locations.push_back({source, {}, "definition", {}});
  }

  void summarise() {
    diagnostics_.summarise(
        "Ops that target " + target_.name + " does not support: " + python_list(ops_) +
        "\nThis can be due to several reasons:"
        "\n1. There is no entry for the op in the operator table of the target. Redefine it with "
        "operators that are there."
        "\n2. The op has an entry, but breaks a constraint of the target. Change its arguments, "
        "overload or dtype."
        "\n3. The op is in code that no run reaches. Freeze the model before it is saved.");
    diagnostics_.summarise(lines_);
  }

  const ConnectedGraph& graph_;
  const TargetProfile& target_;
  std::optional<NumbersOfData>& numbers_;
  Diagnostics& diagnostics_;
  std::vector<std::string> ops_;
  std::string lines_;
};

/// Operators that a target's converter does not take. Silent without a target.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  std::optional<NumbersOfData> numbers;
  for (const TargetProfile* target : context.targets)
    UnsupportedOpFinder(graph, *target, numbers, diagnostics).run();
}

} // namespace

const Check checks::unsupported_ops(rule, run);

} // namespace model_validator
