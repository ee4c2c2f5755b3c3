#pragma once

#include "connected_graph/torchscript/state_facts.h"

#include <set>

namespace model_validator::torchscript {

/// The dependences with what a call leaves in an attribute flowing into what the next one finds
/// there.
Dependence over_calls(const StateFacts& facts);

/// Attributes that only cache what every call would recompute to the same values.
///
/// Such an attribute is written only under a condition that has examined the cached value. What is
/// stored comes from weights, constants and sizes: from no data of the call, and from its sizes
/// only if the condition has examined them as well. Whether the value was cached changes nothing
/// else that a result depends on. A dict that one node alone fills, with what follows from the key,
/// is read and filled in any order.
/// @param candidates  attributes that results depend on
/// @return those of them that only cache
std::set<StateFacts::Key> cached_state(const StateFacts& facts, Dependence::Node results,
                                       std::set<StateFacts::Key> candidates);

} // namespace model_validator::torchscript
