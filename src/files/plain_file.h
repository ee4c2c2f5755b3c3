#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace model_validator {

/// Writes a file of a folder in the making: that all of it is on the disk before it has its place
/// is for the folder to see to. @throws Error (`cannot-write`)
void write_plain_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& write);

} // namespace model_validator
