#pragma once

#include <string>

namespace model_validator::verify {

// The programs that hold models of runtimes which Python loads.
std::string litert_program();
std::string executorch_program();
std::string openvino_program();

} // namespace model_validator::verify
