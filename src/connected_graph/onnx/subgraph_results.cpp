#include "connected_graph/onnx/subgraph_types.h"

#include "connected_graph/onnx/domain.h"

namespace model_validator::onnx_format {
namespace {

/// @param a  goes before `b`; empty where it is not known
void set_dtype(const std::string& a, const std::string& b, KnownType& type) {
  type.yield(a.empty() ? b : a);
}

void infer_if(const SubgraphValues& values, std::vector<KnownType>& types) {
  if (values.results.size() != 2) return;
  const std::vector<Binding>& then_results = values.results[0];
  const std::vector<Binding>& else_results = values.results[1];
  for (std::size_t i = 0; i < types.size(); ++i)
    if (i < then_results.size() && i < else_results.size())
      set_dtype(then_results[i].type.dtype, else_results[i].type.dtype, types[i]);
}

/// Trip count and condition come before what a `Loop` carries; its body yields the condition first.
void infer_loop(const SubgraphValues& values, std::vector<KnownType>& types) {
  constexpr std::size_t before_carried = 2;
  if (values.results.size() != 1) return;
  const std::vector<Binding>& results = values.results[0];
  for (std::size_t i = 0; i < types.size() && i + 1 < results.size(); ++i) {
    const std::size_t carried = i + before_carried;
    const bool stacks = carried >= values.inputs.size();
    if (!stacks && values.inputs[carried] == nullptr) continue;
    set_dtype(stacks ? "" : values.inputs[carried]->type.dtype, results[i + 1].type.dtype,
              types[i]);
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
