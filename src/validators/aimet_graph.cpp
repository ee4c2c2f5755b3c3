#include "validators/aimet_graph.h"

#include "connected_graph/attributes.h"
#include "text/places.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>

namespace model_validator {
namespace {

/// An attribute of the operator that a module runs.
const AttributeValue* argument_of(const Op& op, std::string_view name) {
  if (op.body)
    for (const Operator& each : *op.body)
      if (const AttributeValue* found = find_attribute(each.attributes, name)) return found;
  return nullptr;
}

bool pads(const Op& op) {
  const AttributeValue* given = argument_of(op, "padding");
  const auto* sizes = given ? std::get_if<std::vector<std::int64_t>>(given) : nullptr;
  if (sizes == nullptr) return given != nullptr; // `same`
  return std::ranges::any_of(*sizes, [](std::int64_t size) { return size != 0; });
}

} // namespace

AimetGraph::AimetGraph(const ConnectedGraph& graph, const ModuleTables& tables)
    : graph_(graph), tables_(tables), folded_(fold_norms()) {
  for (const FoldedNorm& each : folded_) gone_.insert(each.norm);
}

bool is_named_norm(const Module& module) {
  return short_class(module.class_name).find("BatchNorm") != std::string::npos;
}

bool is_folded_norm(const ConnectedGraph& graph, OpId id) {
  const Op& op = graph.op(id);
  return op.kind == OpKind::module && op.type.starts_with("conv") &&
         is_named_norm(graph.module(op.module));
}

std::string AimetGraph::type_of(OpId id) const {
  const Op& op = graph_.op(id);
  if (op.kind != OpKind::module) return {};
  const Module& module = graph_.module(op.module);
  const std::string* type = module.torch_nn ? tables_.op_type_of(module.class_name) : nullptr;
  return type != nullptr ? *type : module.torch_nn ? short_class(module.class_name) : std::string();
}

bool AimetGraph::is_norm(OpId op) const {
  return !is_folded_norm(graph_, op) &&
         contains({"BatchNormalization", "BatchNorm3d"}, type_of(op));
}

bool AimetGraph::passes_on(OpId id) const {
  const Op& op = graph_.op(id);
  return gone_.contains(id) || op.type == "identity" ||
         (op.kind != OpKind::module && contains({"detach", "to"}, op.type));
}

OpId AimetGraph::next(OpId id) const {
  for (;;) {
    OpId target = none;
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph_.graph()))) {
      const OpId reader = boost::target(edge, graph_.graph());
      if (target != none && target != reader) return none;
      target = reader;
    }
    if (target == none || !passes_on(target)) return target;
    id = target;
  }
}

std::int64_t AimetGraph::groups_of(OpId layer) const {
  const AttributeValue* given = argument_of(graph_.op(layer), "groups");
  const auto* groups = given ? std::get_if<std::int64_t>(given) : nullptr;
  return groups == nullptr ? 1 : *groups;
}

const std::vector<std::int64_t>* AimetGraph::weight_shape(OpId layer) const {
  const Module& module = graph_.module(graph_.op(layer).module);
  for (const ParameterId id : module.parameters)
    if (const Parameter& parameter = graph_.parameters()[id]; parameter.name == "weight")
      return parameter.type.shape ? &*parameter.type.shape : nullptr;
  return nullptr;
}

bool AimetGraph::takes_norm(OpId layer, bool backward) const {
  const std::string type = type_of(layer);
  if (type == "Gemm") return true;
  if (type == "ConvTranspose") {
    const auto* shape = weight_shape(layer);
    return backward &&
           (groups_of(layer) == 1 || (shape != nullptr && groups_of(layer) == shape->front()));
  }
  return backward || (groups_of(layer) == 1 && !pads(graph_.op(layer)));
}

bool AimetGraph::fits(OpId layer, OpId norm) const {
  if (layer == none || norm == none || !is_norm(norm)) return false;
  const std::string type = type_of(layer);
  return type_of(norm) == "BatchNorm3d" ? type == "Conv3d"
                                        : contains({"Conv", "ConvTranspose", "Gemm"}, type);
}

std::vector<FoldedNorm> AimetGraph::fold_norms() const {
  std::vector<FoldedNorm> folded;
  std::set<OpId> norms;
  std::set<ModuleId> layers;
  for (const bool backward : {true, false})
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      const OpId after = next(id);
      const OpId layer = backward ? id : after;
      const OpId norm = backward ? after : id;
      if (!fits(layer, norm) || norms.contains(norm) || !takes_norm(layer, backward) ||
          (backward && !layers.insert(graph_.op(layer).module).second))
        continue;
      norms.insert(norm);
      folded.push_back({norm, layer, backward});
    }
  return folded;
}

bool AimetGraph::is_scalable(OpId op) const {
  return op != none && graph_.op(op).kind == OpKind::module &&
         contains({"Conv1d", "Conv2d", "ConvTranspose1d", "ConvTranspose2d"},
                  short_class(graph_.module(graph_.op(op).module).class_name));
}

/// The next in the row of an op.
OpId AimetGraph::further_convolution(OpId op) const {
  OpId after = next(op);
  while (after != none && contains({"Relu", "PRelu"}, type_of(after))) after = next(after);
  return is_scalable(after) ? after : none;
}

std::vector<OpId> AimetGraph::functions_in_rows() const {
  std::vector<OpId> found;
  for (OpId id = 0; id < graph_.op_count(); ++id) {
    const OpId after = is_scalable(id) ? next(id) : none;
    if (after != none && graph_.op(after).kind == OpKind::functional &&
        graph_.op(after).type == "relu" && further_convolution(after) != none)
      found.push_back(after);
  }
  return found;
}

std::vector<std::vector<OpId>> AimetGraph::rows_of_convolutions() const {
  std::set<OpId> continued;
  std::set<std::vector<ModuleId>> known;
  std::vector<std::vector<OpId>> rows;
  for (OpId id = 0; id < graph_.op_count(); ++id)
    if (is_scalable(id) && further_convolution(id) != none)
      continued.insert(further_convolution(id));
  for (OpId id = 0; id < graph_.op_count(); ++id) {
    if (!is_scalable(id) || continued.contains(id)) continue;
    std::vector<OpId> row{id};
    for (OpId after = further_convolution(id); after != none; after = further_convolution(after))
      row.push_back(after);
    std::vector<ModuleId> modules;
    for (const OpId op : row) modules.push_back(graph_.op(op).module);
    if (row.size() > 1 && known.insert(modules).second) rows.push_back(std::move(row));
  }
  return rows;
}

AimetGraph::Kind AimetGraph::kind_of(OpId layer) const {
  const std::int64_t groups = groups_of(layer);
  const auto* shape = weight_shape(layer);
  if (groups == 1) return Kind::convolution;
  if (shape == nullptr || shape->size() < 2) return Kind::other;
  // Of the weight, one dimension counts all channels, the other those of one group.
  return shape->front() == groups && (*shape)[1] == 1 ? Kind::depthwise : Kind::other;
}

/// As AIMET does: a combination that it cannot scale is left out, and the next begins after it.
std::vector<std::vector<OpId>> AimetGraph::equalisation_sets(const std::vector<OpId>& row) const {
  std::vector<std::vector<OpId>> sets;
  std::size_t at = 0;
  while (at + 1 < row.size()) {
    const Kind first = kind_of(row[at]);
    const Kind second = kind_of(row[at + 1]);
    if (first == Kind::other) {
      ++at;
    } else if (second == Kind::convolution) {
      sets.push_back({row[at], row[at + 1]});
      ++at;
    } else if (first == Kind::convolution && second == Kind::depthwise && at + 2 < row.size() &&
               kind_of(row[at + 2]) == Kind::convolution) {
      sets.push_back({row[at], row[at + 1], row[at + 2]});
      at += 2;
    } else {
      ++at;
    }
  }
  return sets;
}

} // namespace model_validator
