#pragma once

#include "fixes/python/python_tree.h"
#include "fixes/python/text_edit.h"
#include "fixes/python_file.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// A class that does what a function does which is given no instance, so that modules can stand for
/// what it runs. The function stays for its other callers.
struct FunctionClass {
  std::string name;
  std::string module;                   ///< what the file calls `torch.nn.Module`
  std::vector<TextEdit> edits;          ///< of the copy, at the places of the function
  std::vector<std::string> counts;      ///< that its `__init__` takes, for loops of the function
  std::string decorator;                ///< the line above it, or none
  std::vector<std::string> assignments; ///< of its `__init__`: `add = Add()`
};

/// Whether what is given something is such a class, which has no constructor and no relatives yet.
inline bool is_function(const Node& type) { return type.is("function_definition"); }

/// Whether torch compiles a function: `@torch.jit.script`.
bool is_compiled(const Node& function, const Imports& imports);

/// Why a function must not be copied to a method, as a clause; empty where it may.
std::string obstacle_to_class_of(const Node& function, const Imports& imports);

/// Whether a line is one of a decorator of the function, which the same file defines.
bool is_in_decorator_of(const Node& function, int line);

/// What registers a class as `timm` registers the function, which its tracers do not look into;
/// nothing for a function that is not registered.
std::optional<Import> registrar_of_class(const Node& function, const Imports& imports);

/// `RotateHalfModule` for `_rotate_half`.
std::string class_name_for(const Node& function);

/// The edit that writes the class behind the function. @returns nothing where its edits overlap
std::optional<TextEdit> class_behind(const Node& function, FunctionClass type,
                                     const Imports& imports);

} // namespace model_validator::fixes
