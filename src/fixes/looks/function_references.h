#pragma once

#include "fixes/python/source_index.h"

#include <vector>

namespace model_validator::fixes {

/// The functions of the source that an expression may name: `init`, `utils.init`, `self.init`,
/// `partial(init, x)`, or a variable that is given one. Of a class, its constructor. None where it
/// may name others as well.
std::vector<Node> functions_named_by(const Node& expression, SourceIndex& index);

/// Whether a use of a function's name, or of its class's, may mean that one: by imports, and by the
/// file.
bool may_name(const Node& use, const Node& function, SourceIndex& index);

/// The calls in the source that may be of a function, by its name.
std::vector<Node> calls_of(const Node& function, SourceIndex& index);

} // namespace model_validator::fixes
