#pragma once

#include "../choices.h"

#include <string>

namespace fuzz {

/// A TorchScript file as the choices decide: classes within classes with attributes, methods, free
/// functions, default arguments and constants, and the pickles that belong to them.
std::string write_torchscript(Choices& choices);

} // namespace fuzz
