#pragma once

#include "verify/reduce/attempt.h"

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Turns the calling process into the Python program that asks a runtime for models.
/// @param folder  where it leaves its answers, the first with the number `first`
/// @param arguments  models, each with its inputs
/// @throws Error (`backend-missing`) where there is no Python
[[noreturn]] void become_python(const AskedRuntime& runner, const std::filesystem::path& folder,
                                std::size_t first, const std::vector<std::string>& arguments);

/// The release of that runtime. @throws Error (`backend-missing`) where Python does not find it
std::string version_by_python(const VerifyRequest& request, const AskedRuntime& runner,
                              const std::filesystem::path& folder);

} // namespace model_validator::verify
