#pragma once

#include "fixes/planned_files.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::fixes {

/// Whether a file defines what a file imports by a full name: `…/layers.py` for `layers.shift`.
bool is_defined_in(const std::string& full, const std::string& path);

/// Where a function of the project names the functions that it returns, `F.relu` of `return
/// F.relu`, for `self.act = activation(name)`; or a table those that it holds, for `self.act =
/// ACT[name]`, which all that read it share. Nothing where any code does more with what it
/// returns than keep it in an attribute of a class, to be called with a tensor.
std::vector<NamedFunction>
functions_given_by(const Node& value, PythonFile& file, PlannedFiles& files,
                   const std::function<bool(const Node&, const PythonFile&)>& is_wanted);

/// Whether the uses of an attribute of a class set it, or call it with a tensor.
bool is_only_called(std::string_view attribute, const Node& type);

/// Whether no run of a method calls it twice, as far as the source shows: a module would be shared.
bool is_called_once_a_run(std::string_view attribute, const Node& type);

/// Whether the function around a node gives a name a meaning of its own.
bool is_bound_in_function(std::string_view name, const Node& node);

/// Whether a value is what a function is given: `act` of `self.act = act`.
bool is_given(const Node& value);

/// Whether one of the expressions of a line, and no other, calls what a constructor is given.
bool calls_one_given(const std::vector<Node>& expressions);

/// The name of the one function that a class keeps in what is called: `F.relu` for `self.act` of
/// `self.act = F.relu`. No node where it may keep anything else.
Node only_function_kept(const Node& callee);

/// A module where a constructor is given a function, and else what it is given: `nn.ReLU() if act
/// is F.relu else act`.
/// @param when  the function is given: `is F.relu`
TextEdit where_given(const Node& parameter, const std::string& module, const std::string& when);

/// The attribute that `self.act(x)` calls with nothing but its tensor.
std::string attribute_called(const Node& call, const std::string& self);

} // namespace model_validator::fixes
