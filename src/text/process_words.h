#pragma once

#include <chrono>
#include <string>

namespace model_validator {

/// `2.5 s`
std::string seconds_in_words(std::chrono::milliseconds time);

/// How a process ended, as `waitpid` reports it: `was ended by signal 11 (Segmentation fault)`.
std::string ending_in_words(int status);

} // namespace model_validator
