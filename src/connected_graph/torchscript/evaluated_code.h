#pragma once

#include <string>
#include <unordered_map>

namespace model_validator::torchscript {

/// The code of a file: the text of each record, `code/__torch__.py`, by its name.
using CodeTexts = std::unordered_map<std::string, std::string>;

/// Sees that LibTorch has nothing but literals to evaluate while it imports code. It compiles and
/// runs the defaults of parameters and what a class assigns to its constants and fields: any
/// operator could stand there.
///
/// A literal is what exporters write: numbers, texts, truth values, None, `inf` and `nan`; lists,
/// tuples, dicts and named tuples of them; a device, a member of an enum, an entry of the table of
/// constants.
/// @param file  for the Error
/// @throws Error (`unsafe-op`) that names the place, and what LibTorch throws for code that it
/// cannot parse
void require_literals(const CodeTexts& texts, const std::string& file);

/// What the definitions in a record of code are named below: `__torch__.torch.nn` for
/// `code/__torch__/torch/nn.py`.
std::string qualifier_of(const std::string& record);

} // namespace model_validator::torchscript
