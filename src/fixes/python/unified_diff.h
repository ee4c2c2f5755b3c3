#pragma once

#include <string>

namespace model_validator::fixes {

/// Two texts of one file as a unified diff, which `git apply` and `patch -p1` take. Empty where
/// they are the same.
/// @param name    of the file, as the diff is to call it
/// @param is_new  there is no file yet
std::string unified_diff(const std::string& name, const std::string& before,
                         const std::string& after, bool is_new);

} // namespace model_validator::fixes
