#pragma once

#include "fixes/python/source_index.h"

namespace model_validator::fixes {

/// Whether what an attribute holds is a container of torch's, `self.blocks` behind
/// `self.blocks = nn.Sequential(…)`: its children are what it was given, and it gets no other.
/// All code that gives an attribute of that name anything must give such a container.
/// @param attribute  of `self`, or of a parameter that all code gives `self`
bool is_container(const Node& attribute, SourceIndex& index);

} // namespace model_validator::fixes
