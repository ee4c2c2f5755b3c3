#pragma once

#include <string>
#include <vector>

namespace model_validator::fixes {

/// The type of an argument that is an `int` or a `float`, where the source does not show which.
inline constexpr const char* any_number = "Union[int, float]";

/// The type of one that may be a tensor as well.
inline constexpr const char* any_value = "Union[int, float, torch.Tensor]";

/// An argument of a method, with what TorchScript's compiler needs to know of it.
struct Argument {
  std::string name;     ///< the parameter's
  std::string type;     ///< empty for a tensor
  bool keyword = false; ///< given by its name

  bool is_number() const { return type == "int" || type == "float" || type == any_number; }
  friend auto operator<=>(const Argument&, const Argument&) = default;
};

/// A class that stands for an operation, with operands of these types.
struct ModuleClass {
  std::string name;                ///< `Add`
  std::string body;                ///< what `forward` returns: `input + other`
  std::vector<Argument> arguments; ///< of `forward`
  std::string constructor;         ///< its `__init__`, where it has one
  bool open = false;               ///< `forward` passes on whatever it is given
  bool in_place = false;           ///< `input += other`, where `input` is a tensor
  friend auto operator<=>(const ModuleClass&, const ModuleClass&) = default;
};

/// The source of the class.
std::string source_of(const ModuleClass& type);

/// The name of a file of such classes, and what it begins with.
inline constexpr const char* module_file_name = "functional_modules.py";
std::string module_file_head();

} // namespace model_validator::fixes
