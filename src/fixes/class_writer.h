#pragma once

#include "fixes/call_arguments.h"
#include "fixes/module_class.h"
#include "fixes/operation.h"

#include <model_validator/diagnostic.h>

#include <string>
#include <vector>

namespace model_validator::fixes {

/// Writes the class of a module that does what an operation did, where torch has none.
class ClassWriter {
public:
  /// @param compiled  TorchScript's compiler reads the class and asks for the types of arguments
  ClassWriter(const Operation& operation, const Rewrite& rewrite, bool compiled)
      : operation_(operation), rewrite_(rewrite), compiled_(compiled) {}

  /// `-input`
  ModuleClass of_sign() const;
  /// Whether the class is one that is given weights with each call: `DynamicConv2d`.
  bool is_dynamic() const;
  /// Whether Python has a sign for the operator.
  bool has_operator() const;
  /// `input + other`; with the statement `input += other` it writes where the operation did.
  ModuleClass of_operator(const Node& left, const Node& right) const;
  ModuleClass of_in_place_operator(const Node& left, const Node& right) const;
  /// `Concat(axis)(tensors)`. AIMET's is called with `*tensors`, which TorchScript does not know.
  ModuleClass of_concatenation() const;
  /// Of Python's `sum`, whose additions are one module.
  ModuleClass of_sum() const;
  /// Of what takes a tensor apart as Python does, and any other value too.
  ModuleClass of_unpacking() const;
  /// For a call whose arguments need no types: the function is passed whatever the module is given.
  ModuleClass of_any_call() const;
  /// For a call with these arguments, each of a type that the source shows.
  ModuleClass of_typed_call(const std::vector<GivenArgument>& given) const;
  /// The first argument that may be one number or several, as far as the source shows; no node
  /// where all are clear.
  Node unclear_argument(const std::vector<GivenArgument>& given) const;

private:
  ModuleClass written(std::string body, std::vector<Argument> arguments) const;
  Argument operand(std::string name, const Node& value) const;
  void annotate_scalar(const Node& left, const Node& right, Argument& input, Argument& other) const;
  std::string method_name() const;
  std::string function_text() const;
  bool begins_with_tensor(const std::vector<GivenArgument>& given) const;
  Argument tensor_argument(const Node& value) const;
  bool is_second_operand(const GivenArgument& given, const Argument& argument) const;
  Argument typed(const GivenArgument& given, std::size_t place) const;
  bool is_one_or_several(const Argument& argument) const;

  const Operation& operation_;
  const Rewrite& rewrite_;
  bool compiled_;
};

} // namespace model_validator::fixes
