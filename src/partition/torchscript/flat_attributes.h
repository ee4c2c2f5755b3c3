#pragma once

#include "partition/torchscript/flat_module.h"

namespace model_validator::partition {

/// Moves every attribute that the graph reads to the single remaining module. Numbers and lists of
/// integers that nothing changes become constants; a weight shared by several modules becomes one
/// attribute.
void move_attributes(FlatModule& flat);

} // namespace model_validator::partition
