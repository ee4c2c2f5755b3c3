#pragma once

#include "connected_graph/stored_weights.h"
#include "introspection/op_tensors.h"
#include "introspection/tensor_difference.h"

#include <model_validator/graph_reader.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// A model whose file is read, and whose tensors are at hand.
struct ReadModel {
  ReadModel(const std::filesystem::path& file, const ReadOptions& options);

  ConnectedGraph graph;
  std::map<std::string, StoredWeights> weights; ///< by name
};

struct LoadedTensor;

/// What the tensor stands for; none where its numbers are not read.
std::optional<TensorNumbers> numbers_of(const ReadModel& model, const OpTensor& tensor);

/// How two models differ somewhere.
struct OpCause {
  std::string words; ///< a sentence without a full stop; empty: they do not, or it is not known
  OpId op = none;    ///< of the reference, whose setting or tensor it is
};

/// How the settings and stored tensors of an op differ from those of what another model has in its
/// place.
/// @param op  of the reference
/// @param in_its_place  of the candidate; `none` where no run says it
OpCause cause_at(const ReadModel& reference, OpId op, const ReadModel& candidate,
                 OpId in_its_place);

/// The same of ops that need not be paired: fused, decomposed or joined, they compute one result of
/// the same values.
/// @param worked_out  constants that the reference computes and a candidate may store
OpCause cause_among(const ReadModel& reference, const std::vector<OpId>& ops,
                    const ReadModel& candidate, const std::vector<OpId>& others,
                    const std::vector<LoadedTensor>& worked_out);

} // namespace model_validator
