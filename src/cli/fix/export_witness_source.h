#pragma once

#include <string_view>

namespace model_validator::cli {

/// The text of `export_witness.py`.
std::string_view export_witness_source();

} // namespace model_validator::cli
