#pragma once

#include "cli/command_data.h"

#include <string>

namespace model_validator::cli {

/// The manual page, as troff.
std::string man_page(const std::vector<CommandData>& commands);

} // namespace model_validator::cli
