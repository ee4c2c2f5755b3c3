#pragma once

#include "connected_graph/torchscript/ir/names.h"

namespace model_validator::torchscript {

/// Whether a node stores an entry into a dict of its module where there is none, as in
/// `if key not in self.cache: self.cache[key] = self.weight[:, self.index]`, and computes it from
/// the key and the module's attributes alone. If nothing else writes into the dict, its entries
/// never change, as long as those attributes do not.
bool fills_cache(const Node& node);

} // namespace model_validator::torchscript
