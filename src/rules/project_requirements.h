#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator {

/// What a project asks for by a line of one of its files, as it stands there: `openvino>=2026.1`.
struct Requirement {
  std::string text;
  int line = 0;
};

/// The requirements that a `pyproject.toml` lists, also as extras, groups, and in the tables of
/// Poetry, PDM, Hatch and others: in lists whose key speaks of dependencies, or as the keys of such
/// tables.
/// @throws Error (`bad-config`) with file, line and reason
std::vector<Requirement> requirements_of(const std::filesystem::path& pyproject);

} // namespace model_validator
