#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// A function for which `torch.nn` has a class that does the same.
struct NnFunction {
  std::string class_name;
  /// What the function takes after its tensor, in order. Those that the class takes without a name
  /// begin with `*`; those that it does not take with `-`.
  std::vector<std::string_view> arguments;
};

/// Null where torch has no class with the same meaning.
const NnFunction* find_nn_function(std::string_view operation);

/// The module that does what an operation does.
struct ModuleForOp {
  std::string class_name; ///< `Linear`, `Concat`
  bool torch_nn = false;  ///< one of torch's; otherwise one to write, or to take from a library
  bool weights = false;   ///< it is given weights with each call
  bool random = false;    ///< what it does depends on the mode: `Dropout`
};

/// As classes are called: `MaskedFill` of `masked_fill`.
std::string capitalised(std::string_view type);

/// The class whose modules do what operations of a type do.
std::string class_of(std::string_view type);

/// The module to use in place of an operation that runs as a function. It has no weights: a module
/// of `torch.nn` would have its own, under other names.
ModuleForOp module_for(const Op& op);

/// The user's own class for an operation, where torch has none that takes its arguments: AIMET's
/// name for it where there is one, `Interpolate`, `DynamicConv2d`.
std::string own_class_for(const Op& op);

/// Whether an operator draws random numbers while the model is trained, unless it is told not to.
bool is_random_in_training(std::string_view type);

/// Whether the op is the purpose of its module: the `add` of a module without children and weights,
/// of a class `Add`.
bool is_module_of_its_own(const ConnectedGraph& graph, OpId id);

/// Whether a function of torch runs the operator among others, which is all that a model records
/// of the function: `normalize` runs `div`.
bool runs_among_others(std::string_view function, std::string_view operation);

/// The expression that constructs it, with the arguments of the operation.
std::string construct_for(const Op& op, const ModuleForOp& module);

} // namespace model_validator
