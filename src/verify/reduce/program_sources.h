#pragma once

#include <string_view>

namespace model_validator::verify {

/// The program that reproduces a failure; its settings are to be put in place of `"{}"`.
std::string_view repro_source();

/// The program that asks runtimes that only Python has.
std::string_view python_asker_source();

} // namespace model_validator::verify
