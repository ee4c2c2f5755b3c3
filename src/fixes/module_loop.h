#pragma once

#include "fixes/constructor_site.h"
#include "fixes/python/scope.h"
#include "fixes/python_file.h"

#include <optional>
#include <string>

namespace model_validator::fixes {

/// A `for`, or a comprehension with one, over modules that the class makes: `for layer in
/// self.layers`, also in `zip` and `enumerate`, or `for i in range(n)` with `self.layers[i]`. What
/// it calls once per iteration can be a module for each of them.
struct ModuleLoop {
  Node statement;      ///< the `for`, or the comprehension
  Node element;        ///< the module's name in an iteration: `layer`; in a `zip` all names
  Node iterable;       ///< what yields it: `self.layers`, or the `zip`
  std::string modules; ///< the attribute that holds them: `layers`
  std::string index;   ///< `i`, where an iteration reaches its module by it
  bool zipped = false;
  bool enumerated = false;
};

/// The nearest `for` or comprehension whose body runs a node, within the same function; no node for
/// none.
Node loop_around(const Node& node);

/// A loop as one over modules, if nothing else repeats it and the class makes the modules in its
/// constructor. Searches the whole file.
std::optional<ModuleLoop> module_loop(const Node& statement, const PythonFile& file);

/// Whether all that the constructor puts into the loop's modules comes before a place in it.
bool is_filled_before(const ModuleLoop& loop, const Method& method, const ConstructorSite& site);

} // namespace model_validator::fixes
