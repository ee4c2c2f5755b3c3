#pragma once

#include "fixes/draft.h"
#include "fixes/planned_files.h"

#include <model_validator/diagnostic.h>

#include <optional>
#include <vector>

namespace model_validator::fixes {

/// The function around an operation that is given no instance, so that a module can stand for the
/// operation only in a class that is made of the function; also a method that does without its
/// instance and runs several times. No node where the operation's own class can hold the module.
Node function_to_copy(const Node& operation, const Rewrite& rewrite);

/// Where the operation is among those that one call of the function runs. @throws Refusal where the
/// function cannot be copied, or the model does not record its calls
SourceCall within_call(const Node& function, const Rewrite& rewrite, PlannedFiles& files);

/// A trace does not record what calls a function that torch compiles. Where the code of the
/// module's class calls it once, that is added.
Rewrite with_call_of_compiled(Rewrite rewrite, PlannedFiles& files);

/// The calls by which a module's code gets to a function, as calls of modules.
/// @param operation  that the function runs, as `within_call` has it
/// @param candidates  how many of its kind the function holds
/// @param loop  of the function that runs them, if one does
/// @throws Refusal where the source does not show such calls
std::vector<Draft> calls_of_copy(const Node& function, PythonFile& file, const Rewrite& rewrite,
                                 std::size_t candidates, const std::optional<ModuleLoop>& loop,
                                 PlannedFiles& files);

} // namespace model_validator::fixes
