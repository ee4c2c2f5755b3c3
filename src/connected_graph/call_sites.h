#pragma once

#include <model_validator/graph_builder.h>
#include <model_validator/program.h>

#include <vector>

namespace model_validator {

/// The largest number of calls on one path through the model: branches of one `if` exclude each
/// other.
std::size_t calls_on_one_path(const std::vector<CallSite>& sites,
                              const std::vector<Region>& regions);

/// Records in each module of a graph where it is called, and how often on one path.
/// @param nodes  with the ops that they became a part of
void record_call_sites(GraphBuilder& graph, const std::vector<ProgramNode>& nodes);

} // namespace model_validator
