#pragma once

#include <string>
#include <vector>

namespace model_validator::fixes {

/// How a method is called: what TorchScript's compiler asks to know of each argument.
struct Argument {
  std::string name;     ///< the parameter's
  std::string type;     ///< empty for a tensor
  bool keyword = false; ///< given by its name
  friend auto operator<=>(const Argument&, const Argument&) = default;
};

/// The type of an argument that is an `int` or a `float`, the source does not tell which.
inline constexpr const char* any_number = "number";

/// The type of one that may be a tensor as well.
inline constexpr const char* any_value = "value";

/// A class that stands for an operation, and one way of calling it.
struct ModuleClass {
  std::string name;                ///< `Add`
  std::string body;                ///< what `forward` returns: `input + other`
  std::vector<Argument> arguments; ///< of `forward`
  std::string constructor;         ///< its `__init__`, where it has one
  bool variadic = false;           ///< `forward` takes any number of tensors
  bool open = false;               ///< `forward` passes on whatever it is given
  friend auto operator<=>(const ModuleClass&, const ModuleClass&) = default;
};

/// The ways of calling it that TorchScript tells apart: one, or more where a type is not known.
std::vector<ModuleClass> ways_of(const ModuleClass& type);

/// The source of one class, for all the ways in which it is called.
/// @param classes  of one name and body
std::string source_of(const std::vector<ModuleClass>& classes);

/// The name of a file of such classes, and what it begins with.
inline constexpr const char* module_file_name = "functional_modules.py";
std::string module_file_head();

} // namespace model_validator::fixes
