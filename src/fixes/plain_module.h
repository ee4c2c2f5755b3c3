#pragma once

#include "fixes/python/source_index.h"

namespace model_validator::fixes {

/// Whether an expression surely makes a module without weights, whatever the configuration:
/// `nn.Dropout(p)`, `DropPath(p) if p else nn.Identity()`, `None`.
bool makes_plain_module(const Node& value, const Imports& imports, SourceIndex& index);

/// Whether it makes one of torch's classes without weights.
bool makes_plain_torch_module(const Node& value, const Imports& imports);

} // namespace model_validator::fixes
