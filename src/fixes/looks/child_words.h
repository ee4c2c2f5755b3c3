#pragma once

#include "fixes/python/python_tree.h"

#include <model_validator/data/contains.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

inline constexpr std::array containers_of_torch = {"Sequential", "ModuleList", "ModuleDict"};

/// Whether an expression makes one of them.
bool is_container_of_torch(const Node& made);

/// Whether an expression is the dictionary of a module's children: `net._modules`.
bool is_children(const Node& expression);

/// Whether a place is that of another, by its name: `[i for i, n in enumerate(names) if n ==
/// name][0]`
bool is_searched(const Node& place);

/// Whether code asks for one of many by its name.
bool asks_by_name(std::string_view code);

/// The function, or else the file, in which a name means the same.
Node scope_of(const Node& node);

/// Whether an identifier names an attribute, or an argument of a call.
bool is_named_field(const Node& identifier);

/// Whether a name is one that files call torch's modules of functions and classes, where no import
/// shows it.
bool is_torch(const Node& name);

/// Whether code reads a variable there.
bool is_read(const Node& identifier);

/// Whether a variable is one of the function or file that its name stands in: no parameter, nor
/// another's.
bool is_assigned_in_its_scope(const Node& variable);

/// The names of a function's parameters, without its instance, as far as they may be given by
/// place.
std::vector<std::string> parameters_of(const Node& function);

/// Whether what follows a statement reads a variable before it sets it.
bool is_read_next(const Node& variable, const Node& statement);

/// Whether a call only tells people something: `print`, `logger.info`.
bool is_output(const Node& call);

/// Whether a comparison is `x in y` or `x not in y`.
bool is_membership(const Node& comparison);

/// The text of a string without parts that are computed; nothing for anything else.
std::optional<std::string> literal_text(const Node& expression);

/// The parameter of a function that an argument of a call is given to; empty where that is not
/// clear.
/// @param argument  in the call's list; a keyword argument as a whole
std::string parameter_for(const Node& argument, const Node& call, const Node& function);

/// What a call gives a parameter of a function; no node where that is not clear, or nothing.
Node argument_for(std::string_view parameter, const Node& call, const Node& function);

/// The call of what an identifier names, be it a function or a method; no node for another use.
Node call_of(const Node& use);

/// Whether all of torch's modules have an attribute; whether some have it that hold no weights.
bool is_of_every_module(std::string_view attribute);
bool is_of_some_plain_module(std::string_view attribute);

/// The last name of a dotted one.
std::string_view last_name_of(const Node& dotted);

} // namespace model_validator::fixes
