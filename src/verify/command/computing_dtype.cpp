#include "verify/command/computing_dtype.h"

#include <algorithm>
#include <set>

namespace model_validator::verify {
namespace {

/// The higher, the less precise; 0 for what is not floating-point.
int coarseness(const std::string& dtype) {
  static const std::vector<std::string> by_precision{"", "float64", "float32", "float16",
                                                     "bfloat16"};
  const auto found = std::find(by_precision.begin(), by_precision.end(), dtype);
  return found == by_precision.end() ? 0 : static_cast<int>(found - by_precision.begin());
}

bool computes(const Op& op) {
  static const std::set<std::string> movers{
      "cast",    "to",       "type",      "type_as", "double",        "float",
      "half",    "identity", "clone",     "detach",  "contiguous",    "view",
      "reshape", "flatten",  "transpose", "permute", "squeeze",       "unsqueeze",
      "slice",   "select",   "gather",    "cat",     "concat",        "expand",
      "t",       "constant", "stack",     "split",   "constant_fill", "dequantize_linear",
  };
  const bool has_values = op.kind == OpKind::module || op.kind == OpKind::functional;
  return has_values && movers.count(op.type) == 0;
}

std::string coarser(const std::string& x, const std::string& y) {
  return coarseness(x) >= coarseness(y) ? x : y;
}

} // namespace

std::vector<std::string> computing_dtypes(const ConnectedGraph& graph) {
  // Ops are numbered as they run, so what an op reads is known before it.
  std::vector<std::string> of(graph.op_count());
  for (OpId id = 0; id < of.size(); ++id) {
    if (computes(graph.op(id)))
      for (const TensorType& type : graph.op(id).outputs)
        if (coarseness(type.dtype) != 0) of[id] = coarser(of[id], type.dtype);
    for (auto [edge, end] = boost::in_edges(id, graph.graph()); edge != end; ++edge)
      of[id] = coarser(of[id], of[boost::source(*edge, graph.graph())]);
  }
  std::vector<std::string> outputs;
  for (const OpId output : graph.outputs()) outputs.push_back(of[output]);
  return outputs;
}

} // namespace model_validator::verify
