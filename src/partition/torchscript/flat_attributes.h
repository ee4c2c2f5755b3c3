#pragma once

#include "partition/torchscript/flat_module.h"

namespace model_validator::partition {

/// Moves every attribute that the graph reads to the one module that is left: numbers and lists of
/// integers that nothing changes become constants, a weight that several modules share one
/// attribute.
void move_attributes(FlatModule& flat);

} // namespace model_validator::partition
