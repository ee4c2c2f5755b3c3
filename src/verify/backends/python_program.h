#pragma once

#include <string>

namespace model_validator::verify {

/// The Python that runtimes which only Python has are loaded with: that which our package runs in,
/// that of an environment that is active, or the first on the path.
/// @throws Error (`backend-missing`) where there is none
std::string python_program();

/// What to do where it does not find a package. @param package  how it is called, or what it is
std::string python_hint(const std::string& package);

} // namespace model_validator::verify
