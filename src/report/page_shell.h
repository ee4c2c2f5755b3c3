#pragma once

#include <string_view>

namespace model_validator {

/// `page/page.html`: the page without documents.
std::string_view page_shell();

} // namespace model_validator
