#include "rules/judging/judge.h"

#include "connected_graph/attributes.h"
#include "rules/judging/node_condition.h"
#include "rules/judging/operands.h"
#include "rules/judging/operator_name.h"
#include "rules/judging/placeholders.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace model_validator::rules {
namespace {

/// The names under which a target may list an operator, the most specific first.
std::vector<std::string> names_asked(const TargetProfile& profile, const OperatorName& name) {
  std::vector<std::string> names{name.with_overload(), name.qualified()};
  if (!profile.inplace_distinct) {
    const OperatorName functional = name.functional();
    names.push_back(functional.with_overload());
    names.push_back(functional.qualified());
  }
  return names;
}

/// A target that keys by overload lists the default overload under the bare name, which then says
/// nothing about the others.
bool covers(const TargetProfile& profile, const std::string& key, const OperatorName& name) {
  return !profile.overloads || name.overload.empty() || key.find('.') != std::string::npos;
}

bool lists(const TargetProfile& profile, std::string_view space) {
  const auto first = profile.operators.lower_bound(space);
  return first != profile.operators.end() && first->first.starts_with(space);
}

/// What a graph returns.
constexpr std::string_view returned = "prim::Return";

class Judge {
public:
  /// @param graph  null where nothing is known of the operator's tensors
  Judge(const TargetProfile& profile, const Operator& op, const ConnectedGraph* graph = nullptr,
        OpId id = none)
      : profile_(profile), op_(op), graph_(graph), id_(id), name_(parse_operator_name(op.schema)),
        asked_(names_asked(profile, name_)) {}

  /// Only what is refused for an argument that is known counts.
  Judge& by_arguments() {
    by_arguments_ = true;
    return *this;
  }

  Judgement operator()() const {
    if (name_.space.empty()) return {};
    if (name_.space == "onnx" && !lists_onnx_operators(profile_)) return {};
    for (const std::string& name : asked_) {
      if (profile_.removed_by_passes.contains(name) && covers(profile_, name, name_))
        return judge_entry(name, "`" + name + "`, which the target's own passes remove", 0,
                           nullptr);
      const int* since = entry(profile_.operators, name);
      const std::vector<std::string>* parts = entry(profile_.decomposed, name);
      if (since != nullptr || parts != nullptr)
        return judge_entry(name, "entry `" + name + "`", since == nullptr ? 0 : *since, parts);
    }
    if (op_.schema == returned) return {}; // no operator: only a constraint names it
    return {asked_name(), {}, refusal(refusal_text(profile_.opset)), {}, {}};
  }

private:
  template <class Table>
  const typename Table::mapped_type* entry(const Table& table, const std::string& name) const {
    const auto found = table.find(name);
    return found != table.end() && covers(profile_, name, name_) ? &found->second : nullptr;
  }

  /// By the entry of the operator itself, and by what is left of it when it is decomposed: always,
  /// or where it is refused.
  Judgement judge_entry(const std::string& name, std::string evidence, int since,
                        const std::vector<std::string>* parts) const {
    Judgement judgement{asked_name(), {}, {}, {}, std::move(evidence)};
    std::set<std::string> left;
    if (parts != nullptr) {
      judgement.evidence += ", taken apart into operators that are listed";
      left.insert(parts->begin(), parts->end());
    }
    if (since > profile_.opset)
      judgement.refusal = refusal(refusal_text(profile_.opset) + "; it is supported from opset " +
                                  std::to_string(since) + " on");
    else if (const auto* refused = entry(profile_.file.refused, name))
      look_at(*refused, left, judgement);
    if (!judgement.refusal && !left.empty()) judgement.refusal = refusal(lacking(left));
    return judgement;
  }

  void look_at(const std::vector<NodeRefusal>& refused, std::set<std::string>& left,
               Judgement& judgement) const {
    const LoneNode lone = node(asks_origins(refused));
    for (const NodeRefusal& each : refused) {
      if (judgement.refusal || (by_arguments_ && !is_about_argument(each))) continue;
      const Holds held = holds(each, lone.view());
      if (held == (each.mishap == Mishap::depends ? Holds::yes : Holds::unknown) &&
          !contains(judgement.undetermined, each.reason))
        judgement.undetermined.push_back(each.reason);
      if (held != Holds::yes || each.mishap == Mishap::depends) continue;
      if (each.parts.empty()) judgement.refusal = refusal(each.reason, each.mishap);
      left.insert(each.parts.begin(), each.parts.end());
    }
  }

  static bool asks_origins(const std::vector<NodeRefusal>& refused) {
    return std::ranges::any_of(refused, [](const NodeRefusal& each) {
      return std::ranges::any_of(
          each.when, [](const NodeCondition& when) { return when.computed || when.entry; });
    });
  }

  bool is_about_argument(const NodeRefusal& refused) const {
    return std::ranges::any_of(refused.when, [this](const NodeCondition& when) {
      return find_attribute(op_.attributes, when.attribute) != nullptr;
    });
  }

  /// A leaf module takes its weights without a product.
  LoneNode node(bool origins) const {
    if (graph_ == nullptr) return lone_node(op_);
    return lone_node(op_, *graph_, id_, origins && graph_->op(id_).body == nullptr);
  }

  std::string lacking(const std::set<std::string>& parts) const {
    std::string names;
    for (const std::string& part : parts) names += (names.empty() ? "" : ", ") + part;
    return "it is decomposed, and " + refusal_text(profile_.opset, names);
  }

  std::string refusal_text(int opset, std::string of = {}) const {
    if (of.empty()) of = asked_name();
    const std::string text =
        profile_.refusal.empty() ? "no entry for {operator}" : profile_.refusal;
    return filled(text, {{"{operator}", of}, {"{opset}", std::to_string(opset)}});
  }

  std::string asked_name() const {
    const OperatorName name = profile_.inplace_distinct ? name_ : name_.functional();
    return profile_.overloads ? name.with_overload() : name.qualified();
  }

  /// Whether a replacement was checked for the arguments of this call: what is not known is not
  /// taken to be the same.
  bool applies(const Replacement& replacement) const {
    const bool same_arguments =
        std::ranges::all_of(replacement.arguments, [this](const auto& argument) {
          return std::ranges::any_of(op_.attributes, [&argument](const Attribute& given) {
            return given.name == argument.first && any_item_is({argument.second}, given.value);
          });
        });
    if (!same_arguments || replacement.ranks.empty()) return same_arguments;
    const LoneNode lone = node(false);
    const std::vector<ValueId>& inputs = lone.view()->inputs;
    return std::ranges::equal(replacement.ranks, inputs, [&](int rank, ValueId input) {
      const auto& shape = lone.program.values[input].type.shape;
      return shape && shape->size() == static_cast<std::size_t>(rank);
    });
  }

  Refusal refusal(std::string reason, Mishap mishap = Mishap::refused) const {
    Refusal result{asked_name(), std::move(reason), {}, mishap};
    for (const std::string& name : asked_)
      if (const auto found = profile_.replacements.find(name);
          found != profile_.replacements.end()) {
        if (applies(found->second)) result.replacement = found->second.text;
        break;
      }
    return result;
  }

  const TargetProfile& profile_;
  const Operator& op_;
  const ConnectedGraph* graph_;
  OpId id_;
  bool by_arguments_ = false;
  OperatorName name_;
  std::vector<std::string> asked_;
};

constexpr const char* unmapped = "there is no mapping for the op in op_type_map";

/// A class without a mapping is quantised all the same, where there is a quantised class of it:
/// features that go by the op's type pass over it.
Judgement judge_class(const ModuleTables& tables, const std::string& name) {
  const std::string* type = tables.op_type_of(name);
  const std::string evidence = type == nullptr ? "" : "op type `" + *type + "`";
  const bool by_type = tables.quantised_classes.empty();
  if (by_type && type == nullptr) return {name, {}, Refusal{name, unmapped, {}}, {}, {}};
  if (by_type) return {name, {}, {}, {}, evidence};
  if (!tables.quantised_classes.contains(name))
    return {
        name, {}, Refusal{name, "QuantizationSimModel does not know the leaf class", {}}, {}, {}};
  if (type == nullptr) return {name, {}, {}, {unmapped}, "a quantised class"};
  return {name, {}, {}, {}, evidence};
}

/// Of a module op, its class. An op of a leaf's own code stands for the leaf where nothing is known
/// of its class.
std::vector<Judgement> judge_module_class(const ModuleTables& tables, const ConnectedGraph& graph,
                                          const Op& op) {
  if (op.kind == OpKind::module && op.module != none)
    return {judge_class(tables, graph.module(op.module).class_name)};
  if (op.kind != OpKind::functional || op.parent == none || tables.quantised_classes.empty())
    return {};
  const Module& leaf = graph.module(op.parent);
  if (!leaf.leaf || leaf.parent == none || leaf.class_name.empty() ||
      tables.quantised_classes.contains(leaf.class_name))
    return {};
  return {judge_class(tables, leaf.class_name)};
}

} // namespace

bool lists_onnx_operators(const TargetProfile& profile) { return lists(profile, "onnx::"); }

bool knows_format(const TargetProfile& profile, const ConnectedGraph& graph) {
  if (profile.modules) return graph.origin.has_modules;
  if (profile.operators.empty()) return true;
  const bool onnx = lists_onnx_operators(profile);
  return graph.origin.format == FileFormat::onnx ? onnx : !onnx || lists(profile, "aten::");
}

namespace {

/// How well a table suits a file: a converter may read exported programs in another way than
/// traces.
int fitness(const TargetProfile& profile, const ConnectedGraph& graph) {
  if (!knows_format(profile, graph)) return 0;
  return profile.functionalised == (graph.origin.format == FileFormat::exported_program) ? 2 : 1;
}

} // namespace

const TargetProfile& table_for(const TargetProfile& target, const ConnectedGraph& graph) {
  const TargetProfile* best = &target;
  for (const auto& each : target.counterparts)
    if (fitness(*each, graph) > fitness(*best, graph)) best = each.get();
  return *best;
}

std::optional<Refusal> judge(const TargetProfile& profile, const Operator& op) {
  if (profile.operators.empty()) return std::nullopt;
  return Judge(profile, op)().refusal;
}

std::optional<Refusal> judge_entry(const TargetProfile& profile, const Operator& op) {
  if (profile.operators.empty()) return std::nullopt;
  return Judge(profile, op).by_arguments()().refusal;
}

std::vector<Judgement> judgements(const TargetProfile& profile, const ConnectedGraph& graph,
                                  const FileForm& form, OpId id) {
  const Op& op = graph.op(id);
  if (op.kind == OpKind::input || op.kind == OpKind::output || op.kind == OpKind::constant)
    return {};
  if (profile.modules) return judge_module_class(*profile.modules, graph, op);
  if (profile.operators.empty() || !form.has(id)) return {};
  std::vector<Judgement> all;
  const auto add = [&](const std::string& schema, const std::optional<Operator>& written,
                       const ConnectedGraph* of_tensors) {
    if (!written) return;
    all.push_back(Judge(profile, *written, of_tensors, id)());
    all.back().schema = schema;
  };
  if (op.body == nullptr)
    add(op.schema, form.written(id), &graph);
  else
    for (const Operator& each : *op.body)
      add(each.schema, form.written(each), op.body->size() == 1 ? &graph : nullptr);
  return all;
}

} // namespace model_validator::rules
