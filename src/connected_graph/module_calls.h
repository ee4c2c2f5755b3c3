#pragma once

#include <model_validator/connected_graph.h>

namespace model_validator {

/// The largest number of calls on one path through the model: branches of one `if` exclude each
/// other.
std::size_t calls_on_one_path(const std::vector<CallSite>& sites,
                              const std::vector<Region>& regions);

} // namespace model_validator
