#pragma once

#include "fixes/python/imports.h"
#include "fixes/python/python_tree.h"
#include "fixes/python/source_index.h"

namespace model_validator::fixes {

/// Whether a module that an expression makes has no weights and no buffers, whatever the
/// configuration: `nn.ReLU()`, but not `act_layer()`, which others may choose.
bool makes_no_state(const Node& value, const Imports& imports, SourceIndex& index);

} // namespace model_validator::fixes
