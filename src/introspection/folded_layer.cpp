#include "introspection/folded_layer.h"

#include "connected_graph/canonical_type.h"
#include "connected_graph/operand_parameter.h"

#include <algorithm>
#include <cmath>

namespace model_validator {
namespace {

double epsilon_of(const Op& norm) {
  constexpr double usual = 1e-5;
  const auto in = [](const std::vector<Attribute>& attributes) -> const double* {
    for (const Attribute& attribute : attributes)
      if (attribute.name == "eps" || attribute.name == "epsilon")
        return std::get_if<double>(&attribute.value);
    return nullptr;
  };
  if (norm.body)
    for (const Operator& part : *norm.body)
      if (const double* found = in(part.attributes)) return *found;
  const double* found = in(norm.attributes);
  return found != nullptr ? *found : usual;
}

} // namespace

std::vector<LoadedTensor> load_tensors(const ReadModel& model, const std::vector<OpId>& ops) {
  std::vector<LoadedTensor> loaded;
  for (auto& [op, tensor] : tensors_of(model.graph, ops))
    if (auto numbers = numbers_of(model, tensor))
      loaded.push_back({std::move(tensor), std::move(*numbers), op});
  return loaded;
}

bool is_batch_norm(const Op& op) {
  // An exporter's optimiser gives the layer that it folded a norm into the name of the norm.
  const auto is_layer = [](const Operator& part) {
    return takes_norm_in(canonical_type(part.schema, part.attributes));
  };
  return op.type.starts_with("batch_norm") && !(op.body && std::ranges::any_of(*op.body, is_layer));
}

bool takes_norm_in(const std::string& type) {
  return type.starts_with("conv") || type == "linear" || type == "addmm";
}

OpId only_reader(const ConnectedGraph& graph, OpId op) {
  const auto [begin, end] = boost::out_edges(op, graph.graph());
  return std::distance(begin, end) == 1 ? boost::target(*begin, graph.graph()) : none;
}

std::optional<NormFactors> factors_of(const ReadModel& model, OpId norm) {
  const auto tensors = load_tensors(model, {norm});
  if (tensors.size() < 4) return std::nullopt;
  const auto &weight = tensors[0].numbers.values, &bias = tensors[1].numbers.values,
             &mean = tensors[2].numbers.values, &variance = tensors[3].numbers.values;
  if (bias.size() != weight.size() || mean.size() != weight.size() ||
      variance.size() != weight.size())
    return std::nullopt;
  NormFactors factors;
  factors.weight = weight;
  factors.variance = variance;
  factors.bias_name = tensors[1].tensor.name;
  factors.epsilon = epsilon_of(model.graph.op(norm));
  for (std::size_t c = 0; c < weight.size(); ++c) {
    factors.factor.push_back(weight[c] / std::sqrt(variance[c] + factors.epsilon));
    factors.shift.push_back(bias[c] - mean[c] * factors.factor.back());
  }
  return factors;
}

bool fold(const NormFactors& norm, std::vector<LoadedTensor>& layer) {
  if (layer.empty()) return false;
  const std::size_t channels = norm.factor.size();
  const auto& shape = layer.front().numbers.shape;
  if (shape.empty() || shape[0] != channels) return false;
  if (layer.size() == 1)
    layer.push_back({{norm.bias_name, "bias", false, {}},
                     {std::vector<double>(channels, 0), {channels}, 0, {}, 0, {}},
                     none});
  TensorNumbers &weight = layer[0].numbers, &bias = layer[1].numbers;
  if (bias.values.size() != channels) return false;
  const std::size_t stride = weight.values.size() / channels;
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 0; i < stride; ++i) weight.values[c * stride + i] *= norm.factor[c];
    bias.values[c] = bias.values[c] * norm.factor[c] + norm.shift[c];
  }
  return true;
}

std::vector<std::vector<LoadedTensor>> folded_layers(const ReadModel& model) {
  std::vector<std::vector<LoadedTensor>> layers;
  const ConnectedGraph& graph = model.graph;
  for (OpId norm = 0; norm < graph.op_count(); ++norm) {
    if (!is_batch_norm(graph.op(norm))) continue;
    const OpId layer = op_at_operand(graph, norm, 0);
    if (layer == none || !takes_norm_in(graph.op(layer).type) || only_reader(graph, layer) != norm)
      continue;
    auto tensors = load_tensors(model, {layer});
    if (const auto factors = factors_of(model, norm); factors && fold(*factors, tensors))
      layers.push_back(std::move(tensors));
  }
  return layers;
}

} // namespace model_validator
