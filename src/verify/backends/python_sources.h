#pragma once

#include <string>

namespace model_validator::verify {

// The programs that hold models of runtimes which only Python has.
std::string litert_program();
std::string executorch_program();

} // namespace model_validator::verify
