#pragma once

#include "files/moved_sources.h"
#include "files/process/sandbox.h"

#include <model_validator/diagnostic.h>

#include <vector>

namespace model_validator {

/// Adds the edits of fixes to findings, as `fixes::add_edits` does, in a confined process that
/// reads the Python files: like the models, they are nobody's. Where that process fails, its
/// findings say so, and have no edits.
///
/// Must be called while no other thread of the program holds locks.
/// @param roots  where source was when the models were exported, and where it is
void add_edits_confined(std::vector<Diagnostic>& findings, process::SandboxMode sandbox,
                        const std::vector<SourceRoot>& roots);

} // namespace model_validator
