#pragma once

#include <model_validator/error.h>
#include <model_validator/partition/divisible.h>

namespace model_validator::partition {

/// A model of which there is a plan alone.
/// @param why  its subgraphs cannot be written
std::unique_ptr<Divisible> divide_graph_alone(ConnectedGraph graph, Error why);

} // namespace model_validator::partition
