#pragma once

#include "verify/inputs/npz.h"

#include <string>

namespace model_validator::verify {

/// Passes the inputs as `.npz` to a program and reads the outputs that it leaves. In `command`,
/// `{inputs}` and `{outputs}` stand for the paths of the two files.
/// @throws Error (`bad-command`, `command-failed`)
NamedTensors run_command(const std::string& command, const NamedTensors& inputs);

/// @throws Error (`bad-command`) when a placeholder is missing
void check_command(const std::string& command);

} // namespace model_validator::verify
