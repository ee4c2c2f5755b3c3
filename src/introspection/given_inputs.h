#pragma once

#include <model_validator/trace.h>

namespace model_validator {

/// The same graph, whose inputs have the ranges that they are given with, `x=1x3:float32:0..255`,
/// as attributes: `low` and `high`.
ConnectedGraph with_given_ranges(ConnectedGraph graph, const verify::InputOptions& given);

/// A graph that is not run, with the sizes and ranges that its inputs are given with.
/// @throws Error (`unknown-input`, `bad-inputs`) where they do not fit what the file declares
TracedGraph declared_inputs(ConnectedGraph graph, const verify::InputOptions& given);

} // namespace model_validator
