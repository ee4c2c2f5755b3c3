#pragma once

#include "fixes/operation.h"
#include "fixes/python/python_tree.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// An argument of a call in Python.
struct GivenArgument {
  Node node; ///< all of it
  Node value;
  std::string name; ///< empty for one that is given by its position
};

/// The arguments of a `call`; none where it has starred ones, whose number is not known.
std::optional<std::vector<GivenArgument>> arguments_of(const Node& call);

/// Those after the tensor: all of them in a method call.
std::vector<GivenArgument> arguments_behind_tensor(const Operation& operation,
                                                   const std::vector<GivenArgument>& all);

/// Whether an expression is a constant wherever it stands: `2`, `(1, -1)`, `'nearest'`.
bool is_literal(const Node& node);

/// The type of an expression, as TorchScript needs it annotated; empty for what may be a tensor.
std::string type_of(const Node& node);

} // namespace model_validator::fixes
