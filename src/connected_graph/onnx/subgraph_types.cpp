#include "connected_graph/onnx/subgraph_types.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/yielded_ranks.h"

namespace model_validator::onnx_format {
namespace {

void set_rank(const Rank& rank, KnownType& type) {
  type.unranked = rank.open;
  if (!type.rank) type.rank = rank.known;
}

/// @param a  goes before `b`; empty where it is not known
void set_dtype(const std::string& a, const std::string& b, KnownType& type) {
  type.yield(a.empty() ? b : a);
}

/// The value of a condition that is in the file.
std::optional<bool> value_of(const Binding& condition) {
  if (!condition.literal) return std::nullopt;
  if (const auto* flag = std::get_if<bool>(&*condition.literal)) return *flag;
  const auto* flags = std::get_if<std::vector<bool>>(&*condition.literal);
  return flags != nullptr && flags->size() == 1 ? std::optional(flags->at(0)) : std::nullopt;
}

/// A runtime that knows the condition looks at one arm alone.
Rank rank_of_if(const SubgraphValues& values, std::size_t output) {
  const Binding* condition = values.inputs.empty() ? nullptr : values.inputs[0];
  const Rank then_rank = rank_of(values.results[0][output].type);
  const Rank else_rank = rank_of(values.results[1][output].type);
  if (condition == nullptr) return {};
  if (const auto known = value_of(*condition)) return *known ? then_rank : else_rank;
  const Rank either = rank_of_either(then_rank, else_rank);
  const bool may_be_known = condition->parameter != none || condition->constant() ||
                            (condition->query && !values.sizes_are_open);
  return either.open && may_be_known ? Rank{} : either;
}

void infer_if(const SubgraphValues& values, std::vector<KnownType>& types) {
  if (values.results.size() != 2) return;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i >= values.results[0].size() || i >= values.results[1].size()) return;
    set_dtype(values.results[0][i].type.dtype, values.results[1][i].type.dtype, types[i]);
    set_rank(rank_of_if(values, i), types[i]);
  }
}

/// Trip count and condition come before what a `Loop` carries; its body yields the condition first.
void infer_loop(const SubgraphValues& values, std::vector<KnownType>& types) {
  constexpr std::size_t before_carried = 2;
  if (values.results.size() != 1) return;
  const std::vector<Binding>& results = values.results[0];
  for (std::size_t i = 0; i < types.size() && i + 1 < results.size(); ++i) {
    const Rank result = rank_of(results[i + 1].type);
    const std::size_t carried = i + before_carried;
    std::string before;
    if (carried < values.inputs.size()) {
      const Binding* first = values.inputs[carried];
      if (first == nullptr) continue;
      before = first->type.dtype;
      set_rank(rank_of_either(rank_of(first->type), result), types[i]);
    } else if (result.known) {
      set_rank({*result.known + 1, false}, types[i]);
    } else {
      set_rank(result, types[i]);
    }
    set_dtype(before, results[i + 1].type.dtype, types[i]);
  }
}

} // namespace

void infer_types(const ::onnx::NodeProto& node, const SubgraphValues& values,
                 std::vector<KnownType>& types) {
  if (!is_default_domain(node.domain())) return;
  if (node.op_type() == "If") return infer_if(values, types);
  if (node.op_type() == "Loop") return infer_loop(values, types);
  if (values.results.size() != 1) return;
  for (std::size_t i = 0; i < types.size() && i < values.results[0].size(); ++i)
    types[i].yield(values.results[0][i].type.dtype);
}

} // namespace model_validator::onnx_format
