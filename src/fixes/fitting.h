#pragma once

#include "fixes/draft.h"

#include <model_validator/diagnostic.h>

#include <string>
#include <vector>

namespace model_validator::fixes {

struct Drafted {
  Diagnostic* finding = nullptr;
  Draft draft;
};

/// Combines the drafts of a file. Those that do not fit the others are refused.
/// @returns the file's text with the edits of all others
std::string fit_together(const PythonFile& file, const std::vector<const Drafted*>& drafts);

/// The edits of a draft that is made alone.
std::vector<TextEdit> edits_alone(const Draft& draft);

} // namespace model_validator::fixes
