#pragma once

#include <filesystem>
#include <string>

namespace model_validator::verify {

/// `` `body.4.weight` differs in 1 of 4,608 numbers ``, for two files that hold tensors of the same
/// names; empty where none differs, or where that cannot be told.
std::string words_about_weights(const std::filesystem::path& reference,
                                const std::filesystem::path& candidate);

} // namespace model_validator::verify
