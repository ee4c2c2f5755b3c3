#pragma once

#include "introspection/op_cause.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// A tensor that an op reads, and what it stands for.
struct LoadedTensor {
  OpTensor tensor;
  TensorNumbers numbers;
  OpId op = none; ///< that reads it
};
std::vector<LoadedTensor> load_tensors(const ReadModel& model, const std::vector<OpId>& ops);

bool is_batch_norm(const Op& op);
/// Whether exporters fold a normalisation behind an op of such a type into it.
bool takes_norm_in(const std::string& type);
/// The only op that reads what this one gives; `none` where there are more.
OpId only_reader(const ConnectedGraph& graph, OpId op);

/// What a normalisation does to each channel: `value · factor + shift`, and what that is made of.
struct NormFactors {
  std::vector<double> factor, shift;
  std::vector<double> weight, variance;
  double epsilon = 0;
  std::string bias_name; ///< in the file
};
/// Of an op with statistics that are stored; none of another.
std::optional<NormFactors> factors_of(const ReadModel& model, OpId norm);

/// Numbers of a layer, weight and bias, with the normalisation behind it folded in.
/// @returns whether they are what such layers have
bool fold(const NormFactors& norm, std::vector<LoadedTensor>& layer);

/// Those of all layers into which a normalisation may be folded.
std::vector<std::vector<LoadedTensor>> folded_layers(const ReadModel& model);

} // namespace model_validator
