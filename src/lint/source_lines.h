#pragma once

#include <model_validator/diagnostic.h>

#include <filesystem>
#include <vector>

namespace model_validator {

/// Gives locations without a line of code the line of the Python file that they name, where it can
/// be read. The process that reads a model can read no other file, so this is done outside it.
/// @param roots  where source is besides the working folder
void add_lines_at_hand(std::vector<Diagnostic>& findings,
                       std::vector<std::filesystem::path> roots = {});

} // namespace model_validator
