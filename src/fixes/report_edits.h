#pragma once

#include <model_validator/diagnostic.h>

#include <vector>

namespace model_validator::fixes {

/// Gives the findings that have a fix its edits, where the source is where the model was exported
/// from. A large folder is not gone through for each file that a model names: `fix` does that.
void add_edits(std::vector<Diagnostic>& findings);

} // namespace model_validator::fixes
