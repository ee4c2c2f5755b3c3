#pragma once

#include "fixes/imports.h"
#include "fixes/python_tree.h"
#include "fixes/source_index.h"

namespace model_validator::fixes {

/// Whether a module that an expression makes has no weights and no buffers, whatever the
/// configuration: `nn.ReLU()`, but not `act_layer()`, which others may choose.
bool makes_no_state(const Node& value, const Imports& imports, SourceIndex& index);

} // namespace model_validator::fixes
