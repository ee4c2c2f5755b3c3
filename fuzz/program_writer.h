#pragma once

#include "choices.h"

#include <string>

namespace fuzz {

/// A torch.export program (`.pt2`) as the choices decide: higher-order operators with graphs of
/// their own, symbolic sizes, stacks of modules, weights in other records.
std::string write_program(Choices& choices);

} // namespace fuzz
