#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/error.h>

#include <filesystem>

namespace fuzz {

/// Does with a graph what the commands do with it: every check, every format of a report, pictures,
/// introspection, targets, the plan of a partition. Ends the process where a check throws or where
/// a report is not what its format promises.
void look_at(const model_validator::ConnectedGraph& graph);

/// Reports a file that could not be read.
void look_at(const model_validator::Error& error);

/// Reads the weights of a file as `inspect` and the checks do.
void look_at_weights(const std::filesystem::path& file);

} // namespace fuzz
