#include "rules/judging/judge_file.h"

#include "connected_graph/exporter.h"
#include "connected_graph/file_nodes.h"
#include "connected_graph/op_type.h"
#include "rules/judging/asked_node.h"
#include "rules/judging/judge_forms.h"
#include "rules/judging/judge_node.h"
#include "rules/judging/node_place.h"
#include "rules/judging/placeholders.h"
#include "text/lists.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace model_validator::rules {
namespace {

/// The oldest release that loads what the judged one does not.
template <class Loads> std::string newer_release(const TargetProfile& profile, Loads loads) {
  const auto found = std::ranges::find_if(profile.file.releases, loads);
  if (found == profile.file.releases.end()) return {};
  return ", or run it with " + profile.name + " " + found->version + " or newer";
}

FileRefusal ir_version_refusal(const TargetProfile& profile, int version) {
  const int newest = profile.release.ir_version;
  const std::string newest_text = std::to_string(newest);
  return {filled(profile.file.sentences.ir_version,
                 {{"{version}", std::to_string(version)}, {"{newest}", newest_text}}),
          "export the model for an older opset, or save it again with `model.ir_version = " +
              newest_text + "`, if its opsets and operators are no newer than that" +
              newer_release(profile, [version](const Release& each) {
                return each.ir_version == 0 || each.ir_version >= version;
              })};
}

/// What the program that wrote the file is told the opset by; empty where it is not known.
std::string opset_option(Exporter exporter, const std::string& opset) {
  switch (exporter) {
  case Exporter::torch: return "`opset_version=" + opset + "` of torch.onnx.export";
  case Exporter::tensorflow: return "`--opset " + opset + "` of tf2onnx";
  case Exporter::paddle: return "`--opset_version " + opset + "` of paddle2onnx";
  case Exporter::scikit_learn: return "`target_opset=" + opset + "` of the converter";
  case Exporter::other: break;
  }
  return {};
}

FileRefusal opset_refusal(const TargetProfile& profile, Exporter exporter,
                          const std::string& domain, int version) {
  const int newest = profile.release.opsets.at(domain);
  const std::string opset = std::to_string(newest);
  std::string help = "export the model for opset " + opset + " of " + domain;
  if (domain == "ai.onnx") {
    const std::string option = opset_option(exporter, opset);
    help += (option.empty() ? "" : ": " + option) +
            "; or convert the file, `onnx.version_converter.convert_version(model, " + opset + ")`";
  }
  return {
      filled(profile.file.sentences.opset,
             {{"{version}", std::to_string(version)}, {"{newest}", opset}, {"{domain}", domain}}),
      help + newer_release(profile, [&](const Release& each) {
        const auto found = each.opsets.find(domain);
        return found == each.opsets.end() || found->second >= version;
      })};
}

/// Domains whose operators ONNX itself, or a runtime, defines: custom operators have their own
/// domains.
bool is_standard(const TargetProfile& profile, std::string_view schema) {
  const std::string_view space = schema.substr(0, schema.find("::") + 2);
  if (space == "onnx::" || space.starts_with("ai.onnx.")) return true;
  const auto first = profile.operators.lower_bound(space);
  return first != profile.operators.end() && first->first.starts_with(space);
}

/// The first dtype of a node that the runtime does not load in any place.
std::string dtype_not_loaded(const FileRules& rules, NodeView node) {
  if (rules.dtypes.empty()) return {};
  std::string found;
  const auto look_at = [&](const ProgramValue* value) {
    if (found.empty() && value != nullptr && !contains(rules.dtypes, value->type.dtype) &&
        !(rules.folds_constants && value->constant()))
      found = value->type.dtype;
  };
  for (std::size_t i = 0; i < node->input_count(); ++i) look_at(node.input(i));
  for (std::size_t i = 0; i < node->outputs.size(); ++i) look_at(node.output(i));
  return found;
}

/// Of an input that no node reads; what nodes read is judged with them.
std::string unread_dtype_not_loaded(const FileRules& rules, const Program& program) {
  const auto is_read = [&program](ValueId value) {
    return std::ranges::any_of(
        program.nodes, [value](const ProgramNode& node) { return contains(node.inputs, value); });
  };
  for (const ValueId input : program.inputs) {
    const std::string& dtype = program.values[input].type.dtype;
    if (!rules.dtypes.empty() && !dtype.empty() && !contains(rules.dtypes, dtype) &&
        !is_read(input))
      return dtype;
  }
  return {};
}

std::string dtype_sentence(const FileRules& rules, const std::string& dtype) {
  return filled(rules.sentences.dtype,
                {{"{dtype}", dtype}, {"{dtypes}", joined(rules.dtypes, ", ")}});
}

bool is_plugin(const TargetProfile& profile, std::string_view schema) {
  return profile.plugins.contains(schema) || profile.plugins.contains(bare_operator(schema));
}

/// What a user can do about an operator that a runtime looks for among plugins.
std::string plugin_help(const std::string& schema) {
  const std::string name(bare_operator(schema));
  return "write a plugin `" + name + "` and load it, and say so: `--plugin-operator " + name +
         "`, or `plugins = [\"" + name + "\"]` in the configuration";
}

/// The entry of the target's registry that applies to a node.
std::string entry_of(const TargetProfile& profile, NodeView node) {
  const auto found = profile.file.versions.find(node->schema);
  if (found == profile.file.versions.end()) return node->schema;
  const OperatorVersion* version = version_in(found->second, node->opset);
  return version == nullptr ? node->schema
                            : node->schema + " since opset " + std::to_string(version->since);
}

bool was_asked(const TargetProfile& profile) { return !profile.file.asked_models.empty(); }

/// What the runtime answered about the model as a whole; null where it was not asked.
const AskedAnswer* answer_about(const TargetProfile& profile, const AskedNodes& nodes) {
  const auto whole = nodes.whole();
  const auto found =
      whole ? profile.file.asked_models.find(*whole) : profile.file.asked_models.end();
  return found == profile.file.asked_models.end() ? nullptr : &found->second;
}

std::string in_words(const AskedAnswer& answer) {
  return answer.answer + (answer.reason.empty() ? "" : ": " + answer.reason);
}

Mishap mishap_of(const AskedAnswer& answer) {
  if (answer.answer == "refused") return Mishap::refused;
  return answer.answer == "differs" ? Mishap::wrong : Mishap::fails;
}

bool takes_open_sizes(NodeView node) {
  for (std::size_t i = 0; i < node->input_count(); ++i)
    if (const ProgramValue* value = node.input(i); value != nullptr && has_open_sizes(*value))
      return true;
  return false;
}

/// What it answered about a node, where it was asked for such a one, and nothing beyond that.
/// @param whole  its answer about the model
Judgement as_answered(const TargetProfile& profile, AskedNodes& nodes, NodeView node,
                      const AskedAnswer* whole) {
  Judgement found = {node->schema, node->schema, {}, {}, node->schema};
  if (node->schema == "onnx::Constant") return found; // a part of the question that reads it
  if (takes_open_sizes(node))
    found.undetermined.emplace_back("it was asked at one of the sizes that the file leaves free");
  if (whole != nullptr && whole->is_right()) return found;
  const auto& question = nodes.question_around(*node);
  const auto answer = question ? profile.file.asked.find(*question) : profile.file.asked.end();
  if (answer == profile.file.asked.end())
    found.unknown = "it was not asked for such a node";
  else if (!answer->second.is_right())
    found.refusal = Refusal{node->schema, in_words(answer->second), "", mishap_of(answer->second)};
  else
    found.undetermined.emplace_back(whole == nullptr
                                        ? "it was asked by itself, and not this model as a whole"
                                        : "it is right by itself, and the model as a whole is not");
  return found;
}

void add(const Judgement& found, RefusedOp& to) {
  if (found.refusal && !contains(to.refusals, *found.refusal))
    to.refusals.push_back(*found.refusal);
  if (found.unknown) to.unknown.push_back(found.schema);
  to.undetermined.insert(to.undetermined.end(), found.undetermined.begin(),
                         found.undetermined.end());
}

/// Null where there is none.
const ProgramValue* input_of_open_sizes(const Program& program) {
  const auto found = std::ranges::find_if(
      program.inputs, [&program](ValueId id) { return has_open_sizes(program.values[id]); });
  return found == program.inputs.end() ? nullptr : &program.values[*found];
}

FileRefusal open_sizes_refusal(const TargetProfile& profile, const ProgramValue& input) {
  std::vector<std::string> shape;
  for (const std::int64_t size : input.type.shape.value_or(std::vector<std::int64_t>{}))
    shape.push_back(std::to_string(size < 0 ? 1 : size));
  return {profile.file.sentences.open_sizes + ": the sizes of `" + input.name + "` are open",
          "export the model for inputs of fixed sizes, or fix those of this file: `python -m "
          "onnxruntime.tools.make_dynamic_shape_fixed --input_name " +
              input.name + " --input_shape " + joined(shape, ",") + " in.onnx out.onnx`"};
}

/// Whether a node's results follow from what is stored, and sizes.
bool is_folded(NodeView node) {
  if (node->input_count() == 0) return node->schema == "onnx::Constant";
  if (bare_operator(node->schema) == "Shape") return true;
  for (std::size_t i = 0; i < node->input_count(); ++i)
    if (const ProgramValue* operand = node.input(i); operand != nullptr && !operand->constant())
      return false;
  return true;
}

Judgement judge_alone(const TargetProfile& profile, NodeView node) {
  Judgement found = {node->schema, node->schema, {}, {}, entry_of(profile, node)};
  const auto refuse = [&](std::string reason, std::string help = {}) {
    found.refusal = Refusal{node->schema, std::move(reason), std::move(help)};
    return found;
  };
  found.by_plugin = is_plugin(profile, node->schema);
  if (found.by_plugin || (profile.file.folds_constants && is_folded(node))) return found;
  const bool is_listed = profile.operators.contains(node->schema);
  if (!is_listed && !is_standard(profile, node->schema)) found.unknown = "";
  if (found.unknown) return found;
  Judgement by_rules = judge_node(profile.file, node);
  if (by_rules.refusal && by_rules.refusal->mishap == Mishap::unknown)
    found.unknown = std::move(by_rules.refusal->reason);
  else
    found.refusal = std::move(by_rules.refusal);
  if (found.refusal || found.unknown) return found;
  if (const std::string dtype = dtype_not_loaded(profile.file, node); !dtype.empty())
    return refuse(dtype_sentence(profile.file, dtype));
  if (!is_listed)
    if (const std::optional<Refusal> by_name =
            judge_entry(profile, Operator{node->schema, {}, {}, {}}))
      return refuse(by_name->reason, profile.takes_plugins ? plugin_help(node->schema) : "");
  found.undetermined = std::move(by_rules.undetermined);
  return found;
}

/// Judges the nodes of a program one by one. A target that computes constants first also takes away
/// the last results of a node, as long as nothing in the program reads them. One that takes no open
/// sizes refuses a node of some, where those of the model's inputs are fixed.
class NodeJudge {
public:
  NodeJudge(const TargetProfile& profile, const Program& program)
      : profile_(profile), program_(program) {
    if (profile.file.folds_constants) find_read();
    looks_at_sizes_ =
        !profile.file.sentences.open_sizes.empty() && input_of_open_sizes(program) == nullptr;
  }

  Judgement operator()(NodeView node) const {
    if (read_.empty() || node->outputs.size() < 2 || is_read(node->outputs.back()))
      return judge(node);
    ProgramNode kept = *node;
    while (kept.outputs.size() > 1 && !is_read(kept.outputs.back())) kept.outputs.pop_back();
    return judge(NodeView(program_, kept));
  }

private:
  void find_read() {
    for (const auto& readers : readers_of(program_)) read_.push_back(!readers.empty());
    for (const auto& [name, value] : program_.outputs)
      if (value != none) read_[value] = true;
  }
  bool is_read(ValueId value) const { return value != none && read_[value]; }

  Judgement judge(NodeView node) const {
    Judgement found = judge_alone(profile_, node);
    if (looks_at_sizes_ && !found.refusal && !found.unknown && !is_folded(node) &&
        (takes_open_sizes(node) || yields_open_sizes(node)))
      found.refusal = Refusal{node->schema, profile_.file.sentences.open_sizes, {}};
    return found;
  }

  static bool yields_open_sizes(NodeView node) {
    for (std::size_t i = 0; i < node->outputs.size(); ++i)
      if (const ProgramValue* value = node.output(i); value != nullptr && has_open_sizes(*value))
        return true;
    return false;
  }

  const TargetProfile& profile_;
  const Program& program_;
  std::vector<bool> read_; ///< by value; empty where it does not matter
  bool looks_at_sizes_ = false;
};

/// Whether a runtime does not notice before the node runs: where it has taken it away, never.
bool is_first_seen_when_run(const FileRules& rules, const Judgement& judgement) {
  const bool is_refused = judgement.refusal && judgement.refusal->mishap == Mishap::refused;
  const std::string kind = is_refused || judgement.unknown ? "not-run-refused" : "not-run";
  return passes_over(rules, judgement.schema + " " + kind) || passes_over(rules, kind);
}

void forgive(Judgement& judgement) {
  judgement.refusal.reset();
  judgement.unknown.reset();
  judgement.undetermined.clear();
}

} // namespace

std::vector<FileRefusal> judge_versions(const TargetProfile& profile, const ConnectedGraph& graph) {
  std::vector<FileRefusal> refusals;
  if (!graph.file_nodes) return refusals;
  const Release& release = profile.release;
  std::map<std::string, int> versions = graph.file_nodes->versions;
  const int ir_version = std::exchange(versions["ir_version"], 0);
  if (release.ir_version > 0 && ir_version > release.ir_version)
    refusals.push_back(ir_version_refusal(profile, ir_version));
  for (const auto& [domain, version] : versions)
    if (const auto newest = release.opsets.find(domain);
        newest != release.opsets.end() && version > newest->second)
      refusals.push_back(opset_refusal(profile, exporter_of(graph.origin), domain, version));
  if (graph.program == nullptr) return refusals;
  if (was_asked(profile))
    if (const AskedAnswer* whole = answer_about(profile, AskedNodes(*graph.program));
        whole != nullptr && !whole->is_right())
      refusals.push_back(
          {in_words(*whole), "`model_validator reduce` there makes a bug report of it"});
  if (const auto dtype = unread_dtype_not_loaded(profile.file, *graph.program); !dtype.empty())
    refusals.push_back({dtype_sentence(profile.file, dtype),
                        "take the input of that dtype out: no node reads it"});
  if (!profile.file.sentences.open_sizes.empty())
    if (const ProgramValue* input = input_of_open_sizes(*graph.program))
      refusals.push_back(open_sizes_refusal(profile, *input));
  return refusals;
}

std::vector<std::pair<NodeView, Judgement>> judge_each(const TargetProfile& profile,
                                                       const Program& program,
                                                       const std::vector<Region>& regions) {
  std::vector<std::pair<NodeView, Judgement>> found;
  if (was_asked(profile)) {
    AskedNodes nodes(program);
    const AskedAnswer* whole = answer_about(profile, nodes);
    for (const NodeView node : all_nodes(program))
      found.emplace_back(node, as_answered(profile, nodes, node, whole));
    return found;
  }
  const NodeJudge judge(profile, program);
  const NodePlaces places(program, regions);
  for (const NodeView node : all_nodes(program)) {
    if (passes_over(profile.file, places.of(node))) continue;
    Judgement judgement = judge(node);
    if (!places.runs(node) && is_first_seen_when_run(profile.file, judgement)) forgive(judgement);
    found.emplace_back(node, std::move(judgement));
  }
  return found;
}

/// The package that a table was read from comes first: `onnxruntime 1.31.1, onnx 1.23.2`.
bool reads_another_release(const TargetProfile& profile) {
  if (profile.release.version.empty()) return false;
  const std::string first = profile.package.substr(0, profile.package.find(','));
  const std::string prefix = profile.name + " ";
  return first.starts_with(prefix) && first.substr(prefix.size()) != profile.release.version;
}

bool judges_nodes(const TargetProfile& profile, const ConnectedGraph& graph) {
  return !profile.file.empty() && graph.origin.format == FileFormat::onnx &&
         graph.program != nullptr;
}

std::vector<RefusedOp> judge_nodes(const TargetProfile& profile, const ConnectedGraph& graph) {
  return by_op(judge_each(profile, *graph.program, graph.regions()));
}

std::vector<RefusedOp> by_op(const std::vector<std::pair<NodeView, Judgement>>& judged) {
  std::vector<RefusedOp> results;
  std::map<OpId, std::size_t> of_op;
  for (const auto& [node, found] : judged) {
    if (!found.refusal && !found.unknown && found.undetermined.empty()) continue;
    auto known = node->op == none ? of_op.end() : of_op.find(node->op);
    if (known == of_op.end()) {
      known = of_op.insert_or_assign(node->op, results.size()).first;
      results.push_back({node->op, nullptr, {}, &*node, {}, {}});
    }
    add(found, results[known->second]);
  }
  std::ranges::sort(results, [](const RefusedOp& a, const RefusedOp& b) { return a.op < b.op; });
  return results;
}

} // namespace model_validator::rules
