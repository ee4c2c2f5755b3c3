#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace model_validator {

/// Writes a file of a folder that is not complete yet. The folder makes sure that everything is on
/// the disk before it takes its place. @throws Error (`cannot-write`)
void write_plain_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& write);

} // namespace model_validator
