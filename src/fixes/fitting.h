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

/// Puts the drafts of a file together. Those that do not fit the others are given a refusal.
/// @returns the file's text with all others
std::string fit_together(const PythonFile& file, const std::vector<const Drafted*>& drafts);

/// The edits of a draft that is made alone.
std::vector<TextEdit> edits_alone(const Draft& draft);

} // namespace model_validator::fixes
