#pragma once

#include "files/input_file.h"

#include <filesystem>
#include <string_view>

namespace model_validator {

/// Whether the file is a bare pickle: what torch.save wrote before torch 1.6, or any other.
bool is_bare_pickle(std::string_view head);
/// Whether the file is a tar: what torch.save wrote before torch 0.2, or any other.
bool is_tar(std::string_view head);

/// Says what was pickled into the `data.pkl` of a torch.save zip. @throws Error, always
[[noreturn]] void refuse_saved_pickle(const std::filesystem::path& file, std::string_view pickle);
/// Says what a bare pickle holds. @throws Error, always
[[noreturn]] void refuse_bare_pickle(const InputFile& file);
/// @throws Error, always
[[noreturn]] void refuse_tar(const InputFile& file);

} // namespace model_validator
