#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/verify/inputs.h>
#include <model_validator/weights.h>

#include <vector>

namespace model_validator::verify {

/// Finds where what a graph does changes with the values of an input.
/// @param sample  reads small tensors that the input is compared with; may be empty
void find_bounds(const ConnectedGraph& graph, OpId input, InputMeaning& meaning,
                 const WeightSampler& sample = {});

/// The numbers that sizes of inputs are held to: compared with, cut off at, or moved by, as the
/// window of attention is.
std::vector<SizeBound> find_size_bounds(const ConnectedGraph& graph);

/// In how many calls a state that is counted up comes to where the graph does something else, as
/// where a ring is full; 0: the graph keeps none, or does not say.
std::size_t calls_to_come_round(const ConnectedGraph& graph);

/// Takes over what another file says of the same input.
void add_bounds(InputMeaning& meaning, const InputMeaning& other);

} // namespace model_validator::verify
