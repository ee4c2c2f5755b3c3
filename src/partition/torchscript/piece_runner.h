#pragma once

#include <model_validator/partition/manifest.h>

#include <ATen/core/ivalue.h>

#include <functional>
#include <vector>

namespace model_validator::partition {

/// Computes the values that a piece gives of those it takes.
using PieceFunction = std::function<c10::IValue(std::vector<c10::IValue>)>;

/// Runs pieces in order and puts the model's result together.
/// @param pieces  one a piece of the manifest
/// @param inputs  of the model, in the order of the manifest
c10::IValue run_pieces(const Manifest& manifest, const std::vector<PieceFunction>& pieces,
                       const std::vector<c10::IValue>& inputs);

} // namespace model_validator::partition
