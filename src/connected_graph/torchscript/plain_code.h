#pragma once

#include <string_view>

namespace model_validator::torchscript {

/// Whether all that LibTorch evaluates while it imports this code is sure to be a literal: what is
/// assigned in the body of a class, and the defaults of parameters. Takes one pass, and says no
/// wherever it is not sure: code whose layout no exporter writes, and literals out of the ordinary.
bool evaluates_plain_literals_only(std::string_view code);

} // namespace model_validator::torchscript
