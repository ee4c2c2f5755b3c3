#pragma once

#include "../choices.h"

#include <string>

namespace fuzz {

/// A file of TorchScript as a decider wants it: classes within classes with attributes, methods,
/// free functions, default arguments and constants, and the pickles that belong to them.
std::string write_torchscript(Choices& choices);

} // namespace fuzz
