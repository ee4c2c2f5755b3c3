#pragma once

#include <string>

namespace model_validator {

/// The version of the LibTorch that is loaded into this process; empty where there is none, or
/// where it does not tell.
std::string loaded_torch_version();

/// What is wrong with the LibTorch that is loaded, for libraries that were built for another minor
/// version: they load, and read wrongly. Empty where it fits.
std::string torch_misfit();

} // namespace model_validator
