#pragma once

#include <model_validator/error.h>
#include <model_validator/partition/partitionable_model.h>

namespace model_validator::partition {

/// A model of which there is a plan alone.
/// @param why  its subgraphs cannot be written
std::unique_ptr<PartitionableModel> divide_graph_alone(ConnectedGraph graph, Error why);

} // namespace model_validator::partition
