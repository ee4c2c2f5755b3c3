#pragma once

#include "fixes/python/imports.h"
#include "fixes/python/python_tree.h"

#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// A Python expression that runs an operator on tensors: `a + b`, `F.relu(x)`, `x.mean(1)`,
/// `nn.ReLU()(x)`, `sum([a, b])`, or `x` of `a, b = x`.
struct Operation {
  enum class Form {
    binary,
    comparison,
    unary,
    augmented,
    function,
    method,
    new_module,
    sum,
    unpacking
  };
  Form form = Form::function;
  Node node;
  std::string name;     ///< the operator's, in the spelling of `op_family`
  std::string function; ///< full name of a function: `torch.nn.functional.relu`
  bool in_place = false;

  bool is_method() const { return form == Form::method; }
  /// What a method is called on.
  Node receiver() const { return node.field("function").field("object"); }
};

/// `relu_` writes in place, `__add__` does not.
bool ends_in_place(std::string_view name);

/// Where an operator ran, as far as a model records it.
struct Place {
  int line = 0;
  int column = -1; ///< -1 where it is not recorded
};

/// Python's sign for an operator of two operands, `+` for `add`; empty where it has none.
std::string_view sign_of(std::string_view name);

/// The expressions of a place that may run the operator, in the order in which Python runs them.
/// Arithmetic on what are plainly numbers is left out.
std::vector<Operation> operations_at(const Node& root, const Imports& imports, const Place& place,
                                     const std::string& family);

/// The calls of a function of torch beneath a node, in the order of the file.
std::vector<Operation> functions_in(const Node& root, const Imports& imports,
                                    const std::string& function);

/// The nodes of a line that start there, or whose last name does, in the order in which Python runs
/// them.
std::vector<Node> expressions_at(const Node& root, const Place& place);

} // namespace model_validator::fixes
