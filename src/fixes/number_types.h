#pragma once

#include "fixes/python/python_tree.h"

#include <string>

namespace model_validator::fixes {

/// What an expression may be, as far as its function, its class and its file show.
struct Numbers {
  bool whole = false;
  bool fractional = false;
  bool other = false; ///< a tensor, say, or what the source does not show

  bool any() const { return whole || fractional; }
  bool certain() const { return any() && !other; }
};

Numbers numbers_of(const Node& expression);

/// The type of an expression that is certainly a number, as TorchScript needs it annotated; empty
/// for any other.
std::string number_type(const Node& expression);

/// Whether an expression is certainly a number, not a tensor: `2`, `len(x)`, `x.shape[0]`.
inline bool is_number(const Node& expression) { return numbers_of(expression).certain(); }

/// Whether it may be one: an attribute is one most of the time.
inline bool may_be_number(const Node& expression) {
  return expression.is("attribute") || numbers_of(expression).any();
}

} // namespace model_validator::fixes
