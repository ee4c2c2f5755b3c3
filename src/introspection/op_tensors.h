#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/quantisation.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace model_validator {

/// A tensor of the file that an op reads, directly or behind ops that only cast, turn or dequantise
/// it.
struct OpTensor {
  std::string name; ///< in the file
  std::string role; ///< `weight`, where the module says it; else empty
  bool turned = false;
  std::shared_ptr<const Quantisation> quantisation = {}; ///< null: its numbers are what they say
};

/// What quantisers call a tensor before they give it the name that it has.
std::string unquantised_name(const std::string& name);

/// What ops read of the file, op by op and operand by operand, each with the op.
/// @param graph  of an ONNX or `.pt2` file
std::vector<std::pair<OpId, OpTensor>> tensors_of(const ConnectedGraph& graph,
                                                  const std::vector<OpId>& ops);

} // namespace model_validator
