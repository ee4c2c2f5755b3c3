#pragma once

#include <string_view>

namespace model_validator::verify {

/// A Python program that reproduces failures, without what it says of this one.
std::string_view repro_source();

} // namespace model_validator::verify
