#pragma once

#include <cctype>

namespace model_validator::torchscript {

/// Whether `c` may stand in a name of TorchScript code.
inline bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

} // namespace model_validator::torchscript
