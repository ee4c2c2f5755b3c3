#pragma once

#include "fixes/python/imports.h"
#include "fixes/python/python_tree.h"

namespace model_validator::fixes {

/// By convention, what holds settings and no modules: `self.config`.
bool holds_settings(const Node& object);

/// Whether another configuration may choose a module with weights there: a parameter of the
/// constructor takes part in `act_layer()`, and `nn.PReLU()` has some.
bool may_have_weights(const Node& made, const Imports& imports);

/// The function or method of the same file that a call names, `init` or `self.init`, if there is
/// one of that name; no node for any other.
Node function_of_file(const Node& callee);

} // namespace model_validator::fixes
