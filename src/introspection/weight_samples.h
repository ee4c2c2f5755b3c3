#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/weights.h>

#include <filesystem>

namespace model_validator {

/// Reads some numbers of tensors of a model file: all of small ones; of a large one, parts that lie
/// evenly over it. Tensors are listed where the graph was read, or else once, when they are first
/// asked for.
/// @param graph  read from the file; it outlives the sampler
/// @returns what gives for each name its numbers; none where the file has no such tensor, or its
/// numbers are not read. It throws Error (`missing-weights`, `truncated-file`, and those of the
/// readers)
WeightSampler sampler_of(const ConnectedGraph& graph, const std::filesystem::path& file);

} // namespace model_validator
