#pragma once

#include "fixes/python/python_tree.h"
#include "fixes/python/text_edit.h"

#include <map>
#include <string>
#include <vector>

namespace model_validator::fixes {

/// A line of imports that a file is to have: `from torch import nn`, or `import copy` where it
/// names no package.
struct ImportLine {
  std::string package;
  std::map<std::string, std::string> names; ///< and what they are called in the file
};

/// Edits that add lines behind the file's own imports. Their order is left to the formatter that
/// the project uses.
std::vector<TextEdit> new_imports(const Node& root, const std::vector<ImportLine>& lines);

} // namespace model_validator::fixes
