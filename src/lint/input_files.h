#pragma once

#include <model_validator/error.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// One file of a run, or the reason why there is none.
struct NamedFile {
  std::string name;           ///< as the user knows it; `-` for standard input
  std::filesystem::path path; ///< where its bytes are
  std::optional<Error> error = {};
  bool found = false; ///< in a folder or by a pattern: the user did not name it
};

/// Expands what the user named: files stay as they are; a folder stands for the models in it and
/// beneath it, sorted; a pattern (`models/*.pt`, `**` crosses folders) that is no file's name for
/// what it matches. A file named twice comes once. What stands for no file comes with its error.
/// Folders of tools (`.git`, `venv`, `node_modules`, caches) are not entered unless they are named.
/// @param as_found  files that are named are taken for found ones
std::vector<NamedFile> expand_inputs(const std::vector<std::string>& names, bool as_found = false);

/// The endings under which models are kept: `.onnx`.
const std::vector<std::string>& model_endings();
bool contains_ending(const std::string& ending);
bool has_model_ending(const std::filesystem::path& file);

/// The files beneath a folder, as far as they were looked for.
struct FolderContents {
  std::vector<std::filesystem::path> files; ///< those of outer folders first, each folder sorted
  bool complete = true;
};

/// Looks at so many entries at most. What a run over the folder does not enter is left out.
FolderContents files_beneath(const std::filesystem::path& folder, std::size_t max_entries);

} // namespace model_validator
