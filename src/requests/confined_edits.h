#pragma once

#include "files/process/sandbox.h"

#include <model_validator/diagnostic.h>

#include <vector>

namespace model_validator {

/// Adds the edits of fixes to findings, as `fixes::add_edits` does, in a confined process that reads
/// the Python files: like the models, they are nobody's. Where that process fails, its findings say
/// so, and have no edits.
///
/// Must be called while no other thread of the program holds locks.
void add_edits_confined(std::vector<Diagnostic>& findings, process::SandboxMode sandbox);

} // namespace model_validator
