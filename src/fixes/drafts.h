#pragma once

#include "fixes/draft.h"
#include "fixes/planned_files.h"

#include <model_validator/diagnostic.h>

#include <optional>
#include <vector>

namespace model_validator::fixes {

// One for each kind of rewrite. They reword the finding's help, with the names that were free.
// @throws Refusal where the source does not allow it

/// A call of a function becomes one of a module.
Draft use_module(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files);

/// A function that a class keeps as an attribute becomes a module: `self.act = F.gelu`.
/// @returns nothing where no such call of it is on the line
std::optional<Draft> replace_kept_function(const Rewrite& rewrite, Diagnostic& finding,
                                           PlannedFiles& files);

/// The calls on a line of functions of torch that their class keeps: `self.act(x)`.
std::vector<Operation> calls_of_kept_function(const Rewrite& rewrite, const PythonFile& file);

/// Each call of a module gets one of its own.
Draft separate_calls(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files);

/// Each module that calls a shared one gets one of its own.
Draft separate_owners(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files);

/// A tensor is made once.
Draft make_buffer(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files);

/// A number beyond those of float16 becomes another: `-1e9`, `torch.finfo(x.dtype).min`.
Draft replace_number(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files);

/// A function that drops out in either mode is told the mode of its module.
Draft follow_mode(const Rewrite& rewrite, Diagnostic& finding, PlannedFiles& files);

} // namespace model_validator::fixes
