#pragma once

#include "fixes/python/imports.h"
#include "fixes/python/python_tree.h"

#include <set>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// What code asks of the modules that it is given before it does anything to one.
struct Asked {
  bool nothing = false;          ///< it does the same to all of them
  std::set<std::string> classes; ///< the names of classes, or parts of them
  std::set<std::string> names;   ///< the names that modules are held by, or parts of them
  bool puts_back = false;        ///< it puts each back, where it was or in what is made of that
};

/// What a piece of code calls one of the modules that it is given.
struct Turn {
  std::string module;
  std::string name = {};                  ///< by which it is held; empty where the code has none
  std::string holder = {};                ///< what has it as a child; empty where that is not shown
  std::set<std::string> others = {};      ///< further variables that hold it
  std::set<std::string> class_names = {}; ///< variables that hold the name of its class
};

/// Whether the statements of a block leave a further module without weights, buffers and children
/// alone, except one of a class or of a name that they ask for. This is a short list of forms that
/// people write; whatever is not among them does not.
///
/// The forms: an `if` that asks for the class, the name or an attribute; what follows one that
/// leaves; loops over weights, buffers and children; a mode, a device, a dtype; what is printed;
/// variables that hold nothing of the module, or the module; a function of the same file that has
/// these forms; what is put back in its own place, as it is.
/// @param asked  what they ask for is added
bool leave_alone(const Node& block, const Turn& turn, const Imports& imports, Asked& asked);

/// The same of a function that is called with a module as its first argument.
bool leaves_alone(const Node& function, const Imports& imports, Asked& asked);

/// Whether a condition does not hold for such a module, except for one that it asks for.
bool excludes(const Node& condition, const Turn& turn, const Imports& imports, Asked& asked);

} // namespace model_validator::fixes
