#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator {

/// The first setting in which ops of two graphs differ, whatever the formats call it, in words:
/// `` `pads` is (1, 1, 1, 1) against (2, 2, 0, 0) ``. Empty where none does, or where it is not
/// known which setting of the one is which of the other.
std::string setting_difference(const ConnectedGraph& first, const std::vector<OpId>& ops,
                               const ConnectedGraph& second, const std::vector<OpId>& others);

} // namespace model_validator
