#pragma once

#include "files/moved_sources.h"
#include "files/process/sandbox.h"

#include <model_validator/diagnostic.h>

#include <vector>

namespace model_validator {

/// Adds the edits of fixes to the findings of models, as `fixes::add_edits` does, in a confined
/// process that reads the Python files: like the models, they are nobody's. Where that process
/// fails for a model, its findings say so, and have no edits.
///
/// Must be called while no other thread of the program holds locks.
/// @param roots  where source was when the models were exported, and where it is
void add_edits_confined(const std::vector<std::vector<Diagnostic>*>& models,
                        process::SandboxMode sandbox, const std::vector<SourceRoot>& roots);

} // namespace model_validator
