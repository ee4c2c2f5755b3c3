#include "verify/command/computing_dtype.h"

#include "connected_graph/attributes.h"
#include "connected_graph/operators.h"

#include <model_validator/verify/tensor_view.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

/// The higher, the less precise; 0 for what is not floating-point.
int coarseness(const std::string& dtype) {
  static const std::vector<std::string> by_precision{"", "float64", "float32", "float16",
                                                     "bfloat16"};
  const auto found = std::ranges::find(by_precision, dtype);
  return found == by_precision.end() ? 0 : static_cast<int>(found - by_precision.begin());
}

/// An operation whose dtype is not that of its operands.
bool converts(const std::string& type) {
  return type == "dequantize" || does(type, Does::converts);
}

bool computes(const Op& op) {
  const bool has_values = op.kind == OpKind::module || op.kind == OpKind::functional;
  return has_values && !converts(op.type) &&
         !does(op.type, moves | Does::drops_out | Does::creates);
}

std::string coarser(const std::string& x, const std::string& y) {
  return coarseness(x) >= coarseness(y) ? x : y;
}

/// What a converter's name or arguments say; empty where that depends on its operands.
std::string converted_to(const Op& op) {
  if (op.type == "half") return "float16";
  if (op.type == "bfloat16") return "bfloat16";
  if (op.type == "float") return "float32";
  if (op.type == "double") return "float64";
  const auto* number = find_attribute<std::int64_t>(op.attributes, "dtype");
  const auto dtype = number == nullptr
                         ? std::nullopt
                         : dtype_numbered(&DTypeFacts::torch, static_cast<int>(*number));
  return dtype ? to_string(*dtype) : "";
}

std::string coarsest_of(const std::vector<TensorType>& types) {
  std::string coarsest;
  for (const TensorType& type : types)
    if (coarseness(type.dtype) != 0) coarsest = coarser(coarsest, type.dtype);
  return coarsest;
}

} // namespace

std::vector<std::string> computing_dtypes(const ConnectedGraph& graph) {
  // Ops are numbered as they run, so what an op reads is known before it.
  std::vector<std::string> computed_in(graph.op_count()), yielded(graph.op_count());
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    std::string operands;
    for (auto [edge, end] = boost::in_edges(id, graph.graph()); edge != end; ++edge) {
      const OpId producer = boost::source(*edge, graph.graph());
      operands = coarser(operands, yielded[producer]);
      computed_in[id] = coarser(computed_in[id], computed_in[producer]);
    }
    yielded[id] = coarsest_of(op.outputs);
    // Files may not say.
    if (yielded[id].empty()) yielded[id] = converts(op.type) ? converted_to(op) : operands;
    if (computes(op)) computed_in[id] = coarser(computed_in[id], yielded[id]);
  }
  std::vector<std::string> outputs;
  for (const OpId output : graph.outputs()) outputs.push_back(computed_in[output]);
  return outputs;
}

} // namespace model_validator::verify
