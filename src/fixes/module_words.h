#pragma once

#include "fixes/python/imports.h"
#include "fixes/python/python_tree.h"

#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// Whether all of torch's modules have an attribute; whether some have it that hold no weights.
bool is_of_every_module(std::string_view attribute);
bool is_of_some_plain_module(std::string_view attribute);

/// Whether a call only tells people something: `print`, `logger.info`.
bool is_output(const Node& call);

/// By convention, what holds settings and no modules: `self.config`.
bool holds_settings(const Node& object);

/// Whether another configuration may choose a module with weights there: a parameter of the
/// constructor takes part in `act_layer()`, and `nn.PReLU()` has some.
bool may_have_weights(const Node& made, const Imports& imports);

/// The function or method of the same file that a call names, `init` or `self.init`, if there is
/// one of that name; no node for any other.
Node function_of_file(const Node& callee);

/// The same where nothing else can be meant, also by `partial(init, std=0.02)`.
Node known_function(const Node& callee);

/// All functions of the file that an expression may give: `init`, or what `init_of(mode)` returns.
/// None if it may give any other.
std::vector<Node> known_functions(const Node& given, int deepest = 3);

} // namespace model_validator::fixes
