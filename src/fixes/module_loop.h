#pragma once

#include "fixes/draft.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// A `for` over modules that the class makes, `for layer in self.layers`, also in `zip` and
/// `enumerate`. What it calls once a turn can be one module for each of them.
struct ModuleLoop {
  Node statement;
  Node element;        ///< what the turn's module is called: `layer`; in a `zip` all names
  Node iterable;       ///< what gives it: `self.layers`, or the `zip`
  std::string modules; ///< the attribute that holds them: `layers`
  bool zipped = false;
  bool enumerated = false;
};

/// The nearest `for` statement whose body runs a node, within the same function; no node for none.
Node loop_around(const Node& node);

/// A `for` statement as a loop over modules, if nothing else repeats it and the class makes the
/// modules in its constructor. Looks through all of the file.
std::optional<ModuleLoop> module_loop(const Node& statement, const PythonFile& file);

/// Whether all that the constructor puts into the loop's modules comes before a place in it.
bool is_filled_before(const ModuleLoop& loop, const Method& method, const ConstructorSite& site);

/// Modules of which the loop calls one a turn.
struct TurnModules {
  std::string attribute; ///< that holds them: `adds`
  std::string name;      ///< of a turn's: `add`
};

/// What modules for `add` are called, whose attribute is that which the class was given.
TurnModules turn_modules(const std::string& name, const std::string& attribute,
                         const PythonFile& file);
/// `adds` for `add`.
std::string plural(const std::string& name);

/// The edits of the `for` that make modules run along with those that it runs over.
/// @param user  the expression that calls one
std::vector<TextEdit> run_along(const ModuleLoop& loop, const TurnModules& modules,
                                const std::string& self, const Node& user);

/// The expression that makes as many modules as the loop runs over.
std::string one_a_turn(const std::string& constructor, const ModuleLoop& loop, Draft& draft);

} // namespace model_validator::fixes
