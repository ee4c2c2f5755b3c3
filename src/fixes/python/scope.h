#pragma once

#include "fixes/python/python_tree.h"

#include <optional>
#include <set>
#include <string>

namespace model_validator::fixes {

/// The method of a class that an expression stands in.
struct Method {
  Node function;
  Node type;        ///< the class; the function itself, where a class is to be made of that
  std::string self; ///< what its first parameter is called
};

/// The method whose code runs the node, or why there is none that a module could be called from.
struct MethodOrReason {
  std::optional<Method> method;
  std::string reason; ///< a clause: `it stands in a lambda`
  Node function = {}; ///< whose code it is, where that is given no instance; else no node
};
MethodOrReason method_of(const Node& node);

inline constexpr const char* in_a_loop = "it is in a loop, which calls it as often as it runs";

/// The class whose body holds a function; no node for none.
Node class_holding(const Node& function);

/// The class whose instance a name is in the method around it: that of `self`; no node for any
/// other expression.
Node owner_of(const Node& object);

bool is_comprehension(const Node& node);

/// The first `for` of a comprehension computes what it runs over once.
/// @param clause  the part of the comprehension that the node stands in
bool is_first_iterable(const Node& comprehension, const Node& clause, const Node& node);

/// `name` of a `class_definition` or `function_definition`.
std::string name_of(const Node& definition);

/// `x` of `x: int = 3`.
Node name_of_parameter(const Node& parameter);

/// The parameter of a function that has a name; no node where none has.
Node parameter_of(const Node& function, std::string_view name);

/// The method of a class by its name; no node where the class does not define it.
Node find_method(const Node& type, std::string_view name);

/// The class of a file by its name; a nested one by `Outer.Inner`.
Node find_class(const Node& root, std::string_view name);

/// The classes of the file that a class derives from, near ones first.
std::vector<Node> bases_of(const Node& type);

/// Whether a class derives from another of its file.
bool derives_from(const Node& type, const Node& base);

/// Whether an attribute may be that of an instance of a class: it stands in its code, in that of
/// one that derives from it, or in that of no class.
bool may_belong_to(const Node& attribute, const Node& type);

/// Names that a class uses for what it has: `self.NAME` anywhere in it, and what its body defines.
std::set<std::string> attributes_of(const Node& type);

/// Whether an identifier names an attribute, or an argument of a call.
bool is_named_field(const Node& identifier);

/// Whether a use of a name gives it a meaning: a target, a parameter, an import, a definition.
bool binds(const Node& use);

/// The last name of a dotted one.
std::string_view last_name_of(const Node& dotted);

/// The function, or else the file, in which a name means the same.
Node scope_of(const Node& node);

/// The statement of a block that a node stands in.
Node statement_of(const Node& node);

/// Whether two nodes of a function are in different arms of an `if`, so that one run has one of
/// them.
bool are_alternatives(const Node& one, const Node& other);

/// What stands before a statement on its line.
std::string indent_of(const Node& statement);

/// What a call calls, without what it is an attribute of: `relu` of `F.relu(x)`.
std::string_view called_name(const Node& call);

} // namespace model_validator::fixes
