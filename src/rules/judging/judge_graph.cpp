#include "rules/judging/judge_graph.h"

#include "connected_graph/attributes.h"
#include "rules/judging/judge_file.h"
#include "rules/judging/operator_name.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace model_validator::rules {
namespace {

using Names = std::set<std::string, std::less<>>;

std::string name_of(const std::string& schema) {
  return parse_operator_name(schema).functional().qualified();
}

/// Whether a converter that reads the code in this profile's way comes upon an operator of it.
bool is_read(const TargetProfile& profile, const Operator& op) {
  if (find_attribute(op.attributes, "whole") != nullptr) return profile.whole_code;
  if (find_attribute(op.attributes, "frozen") != nullptr) return profile.frozen;
  return !profile.frozen && !profile.whole_code;
}

Names names_in_file(const TargetProfile& profile, const ConnectedGraph& graph) {
  Names names;
  for (const Operator& op : graph.file_operators)
    if (find_attribute(op.attributes, "whole") == nullptr || profile.whole_code)
      names.insert(name_of(op.schema));
  return names;
}

/// The verdict on a vertex, without operators that reach no output.
std::vector<Judgement> judge_vertex(const TargetProfile& profile, const ConnectedGraph& graph,
                                    const FileForm& form, OpId op, const Names& alive) {
  std::vector<Judgement> found = judgements(profile, graph, form, op);
  // A branch stops an export, whatever comes of it.
  const bool always = profile.functionalised && graph.op(op).kind == OpKind::control_flow;
  std::erase_if(found, [&](const Judgement& each) {
    return each.name.empty() ||
           (!alive.empty() && !always && !profile.modules && !alive.contains(name_of(each.schema)));
  });
  return found;
}

std::vector<Refusal> refusals_of(const JudgedOp& op) {
  std::vector<Refusal> refusals;
  for (const Judgement& each : op.operators)
    if (each.refusal && !contains(refusals, *each.refusal)) refusals.push_back(*each.refusal);
  return refusals;
}

bool has_default(const Op& op) {
  return op.kind == OpKind::input && find_attribute(op.attributes, "default") != nullptr;
}

void judge_inputs(const TargetProfile& profile, const ConnectedGraph& graph,
                  std::vector<RefusedOp>& refused) {
  if (profile.default_arguments.empty() || graph.origin.traced) return;
  for (const OpId input : graph.inputs())
    if (has_default(graph.op(input))) {
      refused.push_back({input, nullptr, {{"forward", profile.default_arguments, {}}}, {}, {}, {}});
      return; // one of them is enough for the target to give up
    }
}

/// Operators in the code that are not ops of the graph, which a converter refuses all the same: on
/// collections, and in arms that cannot run where it does not freeze.
void judge_code(const TargetProfile& profile, const ConnectedGraph& graph,
                std::vector<RefusedOp>& refused) {
  Names named;
  for (const RefusedOp& each : refused)
    for (const Refusal& refusal : each.refusals) named.insert(refusal.name);
  for (const Operator& op : graph.file_operators) {
    if (!is_read(profile, op)) continue;
    const std::optional<Refusal> refusal = judge_entry(profile, op);
    if (refusal && named.insert(refusal->name).second)
      refused.push_back({none, &op, {*refusal}, {}, {}, {}});
  }
}

/// What a target of programs says against a part of TorchScript's language by its name.
std::optional<Refusal> judge_word(const TargetProfile& profile, const std::string& schema) {
  if (!profile.file.refused.contains(schema)) return std::nullopt;
  return judge(profile, {schema, {}, {}, {}});
}

/// What is computed of numbers that only a run gives.
void judge_numbers(const TargetProfile& profile, const ConnectedGraph& graph,
                   const NumbersOfData& of_data, std::vector<RefusedOp>& refused) {
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    if (op.kind != OpKind::query || of_data.source(id) == none || of_data.source(id) == id)
      continue;
    if (std::optional<Refusal> refusal = judge_word(profile, op.schema))
      refused.push_back({id, nullptr, {*refusal}, {}, {}, {}});
  }
}

bool is_stored_tensor(const ConnectedGraph& graph, const StateWrite& write) {
  return write.module != none &&
         std::ranges::any_of(graph.module(write.module).parameters, [&](ParameterId id) {
           return graph.parameters().at(id).name == write.attribute;
         });
}

/// State that is no tensor: a program has buffers alone, and numbers as they are when it is made.
/// One finding for each attribute.
void judge_state(const TargetProfile& profile, const ConnectedGraph& graph,
                 std::vector<RefusedOp>& refused) {
  std::set<std::pair<ModuleId, std::string>> seen;
  for (const StateWrite& write : graph.state_writes) {
    if (write.in_place || !write.read || write.filled || is_stored_tensor(graph, write)) continue;
    const std::optional<Refusal> refusal = judge_word(profile, write.schema);
    if (refusal && seen.emplace(write.module, write.attribute).second)
      refused.push_back({none, nullptr, {*refusal}, {}, {}, {}, &write});
  }
}

std::map<OpId, Names> names_that_ran(const ConnectedGraph& graph) {
  std::map<OpId, Names> ran;
  for (const auto& [op, schema] : graph.recorded_operators) ran[op].insert(name_of(schema));
  return ran;
}

std::vector<JudgedOp> judge_form(const TargetProfile& profile, const ConnectedGraph& graph,
                                 const FileForm& form, Handed handed) {
  std::vector<JudgedOp> judged;
  const auto add = [&](OpId op, const Names& alive) {
    if (std::vector<Judgement> found = judge_vertex(profile, graph, form, op, alive);
        !found.empty())
      judged.push_back({op, std::move(found)});
  };
  if (handed == Handed::recorded && !profile.modules) {
    for (const auto& [op, names] : names_that_ran(graph)) add(op, names);
  } else {
    const Names alive = names_in_file(profile, graph);
    for (OpId op = 0; op < graph.op_count(); ++op) add(op, alive);
  }
  return judged;
}

} // namespace

std::vector<JudgedOp> judge_ops(const TargetProfile& profile, const ConnectedGraph& graph,
                                Handed handed) {
  return judge_form(profile, graph, FileForm(profile, graph), handed);
}

Handed graph_at_hand(const ConnectedGraph& graph) {
  const bool recorded =
      graph.origin.format == FileFormat::torchscript && !graph.recorded_operators.empty();
  return recorded ? Handed::recorded : Handed::file;
}

std::vector<RefusedOp> judge_graph(const TargetProfile& profile, const ConnectedGraph& graph) {
  return judge_graph(profile, graph, graph_at_hand(graph));
}

std::vector<RefusedOp> judge_graph(const TargetProfile& profile, const ConnectedGraph& graph,
                                   Handed handed) {
  std::vector<RefusedOp> refused;
  if (!knows_format(profile, graph)) return refused;
  if (judges_nodes(profile, graph)) {
    refused = judge_nodes(profile, graph);
    std::erase_if(refused, [](const RefusedOp& each) { return each.refusals.empty(); });
    return refused;
  }
  if (handed == Handed::file) judge_inputs(profile, graph, refused);
  const FileForm form(profile, graph);
  for (const JudgedOp& each : judge_form(profile, graph, form, handed))
    if (std::vector<Refusal> refusals = refusals_of(each); !refusals.empty())
      refused.push_back({each.op, nullptr, std::move(refusals), {}, {}, {}});
  if (handed == Handed::file && !profile.functionalised && !profile.modules &&
      graph.origin.format != FileFormat::onnx)
    judge_code(profile, graph, refused);
  if (profile.functionalised && graph.origin.format == FileFormat::torchscript) {
    if (form.numbers() != nullptr) judge_numbers(profile, graph, *form.numbers(), refused);
    judge_state(profile, graph, refused);
  }
  return refused;
}

} // namespace model_validator::rules
