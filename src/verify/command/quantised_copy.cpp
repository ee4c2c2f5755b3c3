#include "verify/command/quantised_copy.h"

#include "connected_graph/attributes.h"
#include "connected_graph/quantised_role.h"
#include "text/lists.h"
#include "verify/command/edge_precision.h"
#include "verify/command/graph_noise.h"
#include "verify/command/openvino_precision.h"

#include <model_validator/error.h>
#include <model_validator/program.h>
#include <model_validator/quantisation.h>

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <string>

namespace model_validator::verify {
namespace {

bool has_many_scales(const Quantisation& quantisation) {
  if (quantisation.scale.values) return quantisation.scale.values->size() > 1;
  const auto& shape = quantisation.scale.type.shape;
  return shape && !shape->empty() && shape->front() != 1;
}

/// Which ops some output depends on.
std::vector<bool> reached_from_outputs(const ConnectedGraph& graph) {
  std::vector<bool> reached(graph.op_count(), false);
  std::vector<OpId> open;
  const auto reach = [&](OpId id) {
    if (!reached[id]) open.push_back(id);
    reached[id] = true;
  };
  for (const OpId output : graph.outputs()) reach(output);
  while (!open.empty()) {
    const OpId id = open.back();
    open.pop_back();
    for (auto [edge, end] = boost::in_edges(id, graph.graph()); edge != end; ++edge)
      reach(boost::source(*edge, graph.graph()));
  }
  return reached;
}

/// Whether the numbers of the operator are those of a weight alone.
bool is_weight_only(const Op& op) {
  for (const char* name : {"MatMulNBits", "GatherBlockQuantized", "MatMulBnb4", "MatMulFpQ4"})
    if (op.schema.find(name) != std::string::npos) return true;
  return quantised_role(op).role == QuantisedRole::dequantise;
}

void note_dtype(const std::string& dtype, Narrowing& narrowing) {
  narrowing.bits = std::min(narrowing.bits, bits_of(dtype));
  narrowing.weights = dtype.starts_with("float8_e5m2")   ? Narrowing::Weights::float8_e5m2
                      : dtype.starts_with("float8_e4m3") ? Narrowing::Weights::float8_e4m3
                                                         : Narrowing::Weights::whole_numbers;
}

bool is_shifted(const Quantisation& quantisation) {
  const auto& zeros = quantisation.zero_point.values;
  const double middle = quantisation.dtype.starts_with("u")
                            ? static_cast<double>(1 << (bits_of(quantisation.dtype) - 1))
                            : 0;
  if (zeros) return std::ranges::any_of(*zeros, [&](double zero) { return zero != middle; });
  return quantisation.zero_point.given;
}

void note_weight(const Quantisation& quantisation, Narrowing& narrowing) {
  note_dtype(quantisation.dtype, narrowing);
  narrowing.block = std::max(narrowing.block, quantisation.block_size);
  narrowing.per_channel = narrowing.per_channel || has_many_scales(quantisation);
  narrowing.has_zero_point = narrowing.has_zero_point || is_shifted(quantisation);
}

/// `MatMulNBits` says it in its attributes.
void note_attributes(const Op& op, Narrowing& narrowing) {
  const auto* bits = find_attribute<std::int64_t>(op.attributes, "bits");
  if (bits == nullptr) return;
  narrowing.bits = std::min(narrowing.bits, static_cast<int>(*bits));
  if (const auto* block = find_attribute<std::int64_t>(op.attributes, "block_size"))
    narrowing.block = std::max(narrowing.block, *block);
  constexpr std::size_t with_zero_points = 3;
  if (op.parameters.size() >= with_zero_points) narrowing.has_zero_point = true;
}

void note_op(const Op& op, Precision& precision) {
  Narrowing& narrowing = precision.narrowing;
  narrowing.weights = Narrowing::Weights::whole_numbers;
  if (is_weight_only(op))
    note_attributes(op, narrowing);
  else
    narrowing.results = Narrowing::Results::int8;
  const bool is_dynamic = op.schema.find("Dynamic") != std::string::npos;
  if (quantised_role(op).role == QuantisedRole::quantise && !is_dynamic)
    narrowing.everywhere = true;
}

std::string less_precise_weight(const ConnectedGraph& graph) {
  std::string least;
  for (const Parameter& parameter : graph.parameters()) {
    const auto& shape = parameter.type.shape;
    if (is_half(parameter.type.dtype) && shape && shape->size() >= 2 && !parameter.quantisation)
      least = parameter.type.dtype;
  }
  return least;
}

/// The operators on quantised values that reach an output.
void count_quantised(const ConnectedGraph& graph, Precision& precision) {
  const auto reached = reached_from_outputs(graph);
  // Ops are numbered as they run, so what an op reads is known before it.
  std::vector<bool> on_quantised(graph.op_count(), false);
  for (OpId id = 0; id < graph.op_count(); ++id) {
    on_quantised[id] = is_quantised(graph.op(id));
    if (on_quantised[id] && reached[id]) {
      ++precision.quantised;
      note_op(graph.op(id), precision);
    }
    for (auto [edge, end] = boost::in_edges(id, graph.graph()); edge != end; ++edge)
      if (on_quantised[boost::source(*edge, graph.graph())]) on_quantised[id] = true;
  }
  for (const OpId output : graph.outputs()) precision.on_quantised.push_back(on_quantised[output]);
}

void note_quantised(const ConnectedGraph& graph, Precision& precision) {
  count_quantised(graph, precision);
  for (const Parameter& parameter : graph.parameters())
    if (parameter.quantisation) note_weight(*parameter.quantisation, precision.narrowing);
  for (const auto edge : boost::make_iterator_range(boost::edges(graph.graph()))) {
    const auto& quantisation = graph.graph()[edge].quantisation;
    if (quantisation && quantisation->dtype.ends_with("int16"))
      precision.narrowing.results = Narrowing::Results::int16;
  }
}

/// Programs multiply stored numbers by scales with ops that are used for anything.
void note_scaled(const ConnectedGraph& graph, Precision& precision) {
  for (const Parameter& parameter : graph.parameters()) {
    const auto& [dtype, shape] = std::tie(parameter.type.dtype, parameter.type.shape);
    if (!shape || shape->size() < 2 || (dtype != "int8" && !dtype.starts_with("float8"))) continue;
    note_dtype(dtype, precision.narrowing);
    precision.narrowing.per_channel = true;
    ++precision.quantised;
  }
  if (precision.quantised > 0) precision.on_quantised.assign(graph.outputs().size(), 1);
}

/// Whether anything is less precise than float32.
bool is_narrower_than_float32(const Precision& precision) {
  return precision.quantised > 0 || !precision.weights.empty() ||
         std::ranges::any_of(precision.computed_in, is_half);
}

/// Outputs that the candidate computes in halves, and the reference does not.
std::optional<NarrowCopy> half_copy(const Precision& reference, const Precision& candidate) {
  NarrowCopy copy;
  std::string dtype;
  const bool in_pairs = reference.computed_in.size() == candidate.computed_in.size();
  for (std::size_t i = 0; i < candidate.computed_in.size(); ++i) {
    const std::string& mine = candidate.computed_in[i];
    const bool narrower = is_half(mine) && (!in_pairs || reference.computed_in[i] != mine);
    copy.outputs.push_back(narrower);
    if (narrower && dtype != "bfloat16") dtype = mine;
  }
  if (!dtype.empty()) {
    copy.narrowing.results =
        dtype == "float16" ? Narrowing::Results::float16 : Narrowing::Results::bfloat16;
    return copy;
  }
  if (candidate.weights.empty() || candidate.weights == reference.weights) return std::nullopt;
  copy.outputs.clear();
  copy.narrowing.weights =
      candidate.weights == "float16" ? Narrowing::Weights::float16 : Narrowing::Weights::bfloat16;
  return copy;
}

/// One that fakes what it is quantised to has about half as many operators as one that is.
bool is_quantised_alike(const Precision& reference, const Precision& candidate) {
  return 3 * reference.quantised >= candidate.quantised;
}

NarrowCopy with_weights(Narrowing::Weights weights, int bits = 8, std::int64_t block = 0) {
  NarrowCopy copy;
  copy.narrowing.weights = weights;
  copy.narrowing.bits = bits;
  copy.narrowing.block = block;
  copy.narrowing.per_channel = weights == Narrowing::Weights::whole_numbers;
  return copy;
}

NarrowCopy with_results(Narrowing::Results results, Narrowing::Weights weights) {
  NarrowCopy copy = with_weights(weights);
  copy.narrowing.results = results;
  copy.narrowing.everywhere = results == Narrowing::Results::int8;
  return copy;
}

} // namespace

/// As compilers do it: a scale for each row of a weight, one for all of a value.
NarrowCopy narrow_copy_named(std::string_view precision) {
  using Results = Narrowing::Results;
  using Weights = Narrowing::Weights;
  constexpr std::int64_t usual_block = 128;
  if (precision == "float16") return with_results(Results::float16, Weights::as_they_are);
  if (precision == "bfloat16") return with_results(Results::bfloat16, Weights::as_they_are);
  if (precision == "int8") return with_results(Results::int8, Weights::whole_numbers);
  if (precision == "float16-weights") return with_weights(Weights::float16);
  if (precision == "bfloat16-weights") return with_weights(Weights::bfloat16);
  if (precision == "int8-weights") return with_weights(Weights::whole_numbers);
  if (precision == "int4-weights") return with_weights(Weights::whole_numbers, 4, usual_block);
  throw Error(ErrorKind::usage, "", "there is no precision `" + std::string(precision) + "`",
              "choose one of " + list_in_words(std::vector<std::string>(precision_words.begin(),
                                                                        precision_words.end())));
}

NarrowCopy stored_alone(NarrowCopy copy) {
  copy.narrowing.results = Narrowing::Results::as_they_are;
  copy.narrowing.everywhere = false;
  return copy;
}

Precision precision_of(const ModelFile& model, const ConnectedGraph* graph) {
  if (model.format == FileFormat::openvino_ir) return precision_of_openvino_model(model.path);
  if (const auto read = reader_of_edge_model(model.format))
    return precision_of_edge_model(read(model.path));
  Precision precision;
  if (graph == nullptr) return precision;
  note_quantised(*graph, precision);
  if (precision.quantised == 0 && model.format != FileFormat::onnx) note_scaled(*graph, precision);
  precision.computed_in = computing_dtypes(*graph);
  precision.weights = less_precise_weight(*graph);
  // Where a file does not say, layers compute in the dtype of their weights.
  for (std::string& dtype : precision.computed_in)
    if (dtype.empty() || (model.format != FileFormat::onnx && !precision.weights.empty()))
      dtype = precision.weights;
  return precision;
}

std::optional<NarrowCopy> narrow_copy_of(const Precision& reference, const Precision& candidate) {
  if (!is_narrower_than_float32(candidate)) return std::nullopt;
  if (candidate.quantised == 0 || is_quantised_alike(reference, candidate))
    return half_copy(reference, candidate);
  return NarrowCopy{candidate.narrowing,
                    {candidate.on_quantised.begin(), candidate.on_quantised.end()}};
}

} // namespace model_validator::verify
