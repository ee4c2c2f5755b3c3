#pragma once

#include "fixes/constructor_site.h"
#include "fixes/python/scope.h"
#include "fixes/python_file.h"

#include <optional>
#include <string>

namespace model_validator::fixes {

/// A `for`, a comprehension with one, or a `map` of a lambda, where the source shows how often it
/// runs: `for layer in self.layers`, also in `zip` and `enumerate`; `for i in range(n)` with
/// `self.layers[i]`; `range(self.n)`; `map(lambda t: …, (q, k))`. What it calls once per iteration
/// can be a module for each of them.
struct ModuleLoop {
  Node statement;             ///< the `for`, the comprehension, or the `map`
  Node element;               ///< what an iteration gets: `layer`; in a `zip` or a `map` all names
  Node iterable;              ///< what yields it: `self.layers`, or the `zip`
  std::string attribute = {}; ///< that holds as many modules, `layers`, or their number, `n`
  std::size_t turns = 0; ///< how often it runs, where that is written out, without an attribute
  std::string parameter = {}; ///< of its function, that holds that number
  std::string index = {};     ///< `i`, where an iteration reaches its module by it
  bool is_counted = false;    ///< the attribute holds a number
  bool zipped = false;
  bool enumerated = false;
};

/// The nearest `for`, comprehension or `map` whose body runs a node, within the same function; no
/// node for none.
Node loop_around(const Node& node);

/// A loop as one over modules, if nothing else repeats it and it runs as often as the constructor
/// of its class or the source says. Searches the whole file.
std::optional<ModuleLoop> module_loop(const Node& statement, const PythonFile& file);

/// What `range(n)` counts to; no node for any other.
Node counted_to(const Node& iterable);

/// The attribute of `self.n` where it holds a number that the class is made with; else empty.
/// @param is_needed  whether nothing runs without the number
std::string number_kept_in(const Node& value, const Method& method, const PythonFile& file,
                           bool is_needed = false);

/// What yields an element for each iteration, in the constructor: `self.layers`, `range(3)`.
std::string turns_of(const ModuleLoop& loop, const std::string& self);

/// Whether all that the constructor does to the loop's attribute comes before a place in it.
bool is_filled_before(const ModuleLoop& loop, const Method& method, const ConstructorSite& site);

} // namespace model_validator::fixes
