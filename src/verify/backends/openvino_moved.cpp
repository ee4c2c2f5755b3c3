#include "verify/backends/openvino_moved.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

/// Each result of a layer is a sum of products: row by row what it is multiplied with.
at::Tensor by_results(const at::Tensor& weight, const IrLayer& layer) {
  if (layer.type == "MatMul") {
    const at::Tensor rows = layer.is_turned || weight.dim() < 2 ? weight : weight.transpose(-1, -2);
    return rows.reshape({-1, rows.size(-1)});
  }
  const std::int64_t groups = layer.type == "GroupConvolution" ? weight.size(1) : 1;
  return weight.reshape({weight.size(0) * groups, -1});
}

} // namespace

/// Of its first operand.
std::optional<std::size_t> MovedLayers::rounding_before(std::size_t layer) const {
  constexpr int farthest = 4; // pools and the like lie between
  for (int i = 0; i < farthest; ++i) {
    const auto source = ir_.sources[layer].find(0);
    if (source == ir_.sources[layer].end()) return std::nullopt;
    layer = source->second.layer;
    if (ir_.layers[layer].type == "FakeQuantize") return layer;
  }
  return std::nullopt;
}

double MovedLayers::range_of(std::size_t rounding) const {
  double greatest = 0;
  for (const int end : {1, 2}) {
    const auto source = ir_.sources[rounding].find(end);
    const auto stored =
        source == ir_.sources[rounding].end() ? std::nullopt : numbers_.of(source->second.layer);
    if (stored && stored->numbers.numel() > 0)
      greatest = std::max(greatest, stored->numbers.abs().max().item<double>());
  }
  return greatest;
}

at::Tensor MovedLayers::factor_at(std::size_t layer) const {
  const at::Tensor none = at::ones({1});
  const auto rounding = rounding_before(layer);
  const auto source = rounding ? ir_.sources[*rounding].find(0) : ir_.sources[layer].end();
  if (!rounding || source == ir_.sources[*rounding].end()) return none;
  const std::size_t multiply = source->second.layer;
  const IrLayer& found = ir_.layers[multiply];
  const auto factor = ir_.sources[multiply].find(1);
  // A norm multiplies as well, by what is its own.
  if (found.type != "Multiply" || !found.name.ends_with("nncf_smooth_quant") ||
      factor == ir_.sources[multiply].end())
    return none;
  const auto stored = numbers_.of(factor->second.layer);
  if (!stored) return none;
  const at::Tensor columns = stored->numbers.reshape({-1});
  return ir_.layers[layer].is_turned ? columns : columns.unsqueeze(1);
}

std::optional<std::size_t> MovedLayers::added_to(std::size_t layer) const {
  if (readers_[layer].size() != 1) return std::nullopt;
  const std::size_t add = readers_[layer].front();
  if (ir_.layers[add].type != "Add") return std::nullopt;
  for (const auto& [input, source] : ir_.sources[add])
    if (is_stored_[source.layer]) return source.layer;
  return std::nullopt;
}

std::optional<MovedBias> MovedLayers::bias_of(std::size_t layer,
                                              const StoredIrNumbers& weight) const {
  constexpr double part = 0.5; // of the average of the operand in its range
  const auto rounding = rounding_before(layer), constant = added_to(layer);
  const auto stored = rounding && constant ? numbers_.of(*constant) : std::nullopt;
  if (!stored || !ir_.layers[*constant].gives("float32")) return std::nullopt;
  const at::Tensor steps = by_results(weight.steps, ir_.layers[layer]).square().sum(1).sqrt() *
                           (part * range_of(*rounding));
  if (steps.numel() != stored->numbers.numel()) return std::nullopt;
  return MovedBias{*constant, stored->numbers, steps};
}

} // namespace model_validator::verify
