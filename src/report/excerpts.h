#pragma once

#include <model_validator/diagnostic.h>

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// The Python around findings and edits as JSON, `model_validator-sources/1`: lines of a file that
/// follow each other are one excerpt. A model may name any file: only those are quoted that may be
/// read as source, around lines that a report shows.
/// @param roots  folders of source besides the working folder
std::string excerpts_json(const std::vector<Diagnostic>& findings,
                          const std::vector<std::filesystem::path>& roots);

} // namespace model_validator
