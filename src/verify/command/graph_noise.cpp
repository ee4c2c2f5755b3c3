#include "verify/command/graph_noise.h"

#include "connected_graph/attributes.h"
#include "connected_graph/operators.h"
#include "connected_graph/quantised_role.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>
#include <model_validator/verify/tensor_view.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

/// What a rule says of each output of a graph: it is asked of every op, with what it said of the
/// operands.
template <class T, class Rule>
std::vector<T> of_outputs(const ConnectedGraph& graph, const Rule& rule) {
  // Ops are numbered as they run, so what an op reads is known before it.
  std::vector<T> of_ops(graph.op_count());
  for (OpId id = 0; id < of_ops.size(); ++id) {
    std::vector<T> operands;
    for (auto [edge, end] = boost::in_edges(id, graph.graph()); edge != end; ++edge)
      operands.push_back(of_ops[boost::source(*edge, graph.graph())]);
    of_ops[id] = rule(graph.op(id), operands);
  }
  std::vector<T> found;
  for (const OpId output : graph.outputs()) found.push_back(of_ops[output]);
  return found;
}

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

struct Dtypes {
  std::string computed_in, yielded;
};

Dtypes dtypes_of(const Op& op, const std::vector<Dtypes>& operands) {
  Dtypes found{"", coarsest_of(op.outputs)};
  std::string read;
  for (const Dtypes& operand : operands) {
    read = coarser(read, operand.yielded);
    found.computed_in = coarser(found.computed_in, operand.computed_in);
  }
  // Files may not say.
  if (found.yielded.empty()) found.yielded = converts(op.type) ? converted_to(op) : read;
  if (computes(op)) found.computed_in = coarser(found.computed_in, found.yielded);
  return found;
}

/// Functions whose values lie between −1 and 1 and cannot be told apart from numbers near 1.
bool saturates(const std::string& type) {
  return contains(
      word_array<
          "sigmoid hard_sigmoid hardsigmoid softmax softmax2d softmin _softmax tanh sin cos expit">,
      type);
}

/// Its product is some of its input, or a sum or mean of it: noise stays.
bool keeps_noise(const std::string& type) {
  return does(type, moves | Does::converts | Does::drops_out | Does::bounds | Does::averages |
                        Does::interpolates | Does::adds);
}

bool passes_on(const Op& op) {
  return op.kind == OpKind::output || op.kind == OpKind::control_flow || keeps_noise(op.type);
}

double magnitude_of(const Op& op, const std::vector<double>& operands) {
  if (saturates(op.type)) return 1;
  if (operands.empty()) return 0;
  if (op.type == "mul") return operands.size() == 2 ? operands[0] * operands[1] : 0;
  return passes_on(op) ? *std::ranges::max_element(operands) : 0;
}

std::uint8_t is_interpolated(const Op& op, const std::vector<std::uint8_t>& operands) {
  const bool passed_on = passes_on(op) && contains(operands, std::uint8_t{1});
  return passed_on || does(op.type, Does::interpolates) ? 1 : 0;
}

/// Whether an op orders rows by their values, as far as one knows: another library's may.
bool may_rank(const Op& op) {
  const std::string_view schema = op.schema;
  const auto is_of = [&](std::string_view library) { return schema.starts_with(library); };
  const bool is_known = schema.find("::") == std::string_view::npos || is_of("aten::") ||
                        is_of("prim") || is_of("quantized") || is_of("onnx::") ||
                        is_of("com.microsoft::");
  return !is_known || does(op.type, Does::ranks);
}

} // namespace

std::vector<std::string> computing_dtypes(const ConnectedGraph& graph) {
  std::vector<std::string> dtypes;
  for (Dtypes& output : of_outputs<Dtypes>(graph, dtypes_of))
    dtypes.push_back(std::move(output.computed_in));
  return dtypes;
}

GraphNoise graph_noise(const ConnectedGraph& graph) {
  GraphNoise noise{of_outputs<double>(graph, magnitude_of), computing_dtypes(graph),
                   of_outputs<std::uint8_t>(graph, is_interpolated)};
  noise.may_rank = false;
  for (OpId id = 0; id < graph.op_count(); ++id) {
    noise.rounds_to_steps = noise.rounds_to_steps || is_quantised(graph.op(id));
    noise.may_rank = noise.may_rank || may_rank(graph.op(id));
  }
  return noise;
}

} // namespace model_validator::verify
