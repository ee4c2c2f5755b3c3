#pragma once

#include "choices.h"

#include <string>

namespace fuzz {

/// A program of torch.export (`.pt2`) as a decider wants it: operators of a higher order with
/// graphs of their own, symbolic sizes, stacks of modules, weights in other records.
std::string write_program(Choices& choices);

} // namespace fuzz
