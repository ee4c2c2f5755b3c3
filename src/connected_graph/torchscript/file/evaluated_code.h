#pragma once

#include <string>
#include <unordered_map>

namespace model_validator::torchscript {

/// The code of a file: the text of each record by its name, `code/__torch__.py`.
using CodeTexts = std::unordered_map<std::string, std::string>;

/// Ensures that LibTorch evaluates nothing but literals while it imports code. It compiles and runs
/// the defaults of parameters and what a class assigns to its constants and fields: any operator
/// could be there.
///
/// A literal is what exporters write: numbers, strings, booleans, None, `inf` and `nan`; lists,
/// tuples, dicts and named tuples of them; a device, a member of an enum, an entry of the table of
/// constants.
/// @param file  for the Error
/// @throws Error (`unsafe-op`) naming the place, and LibTorch's exceptions for code that it cannot
/// parse
void require_literals(const CodeTexts& texts, const std::string& file);

/// The prefix of the names of definitions in a code record: `__torch__.torch.nn` for
/// `code/__torch__/torch/nn.py`.
std::string qualifier_of(const std::string& record);

} // namespace model_validator::torchscript
