#pragma once

#include <string_view>

namespace model_validator::torchscript {

/// Whether everything that LibTorch evaluates while it imports this code is certainly a literal:
/// assignments in class bodies, and the defaults of parameters. Takes one pass, and says no
/// whenever it is not sure: code in a layout that no exporter writes, and unusual literals.
bool evaluates_plain_literals_only(std::string_view code);

} // namespace model_validator::torchscript
