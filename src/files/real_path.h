#pragma once

#include <filesystem>
#include <vector>

namespace model_validator {

/// A path, and one after the other what its last part leads to while that is a link. The last of
/// them is no link, though it need not exist.
std::vector<std::filesystem::path> links_from(std::filesystem::path path);

/// Where a path leads when all links are followed, also one that leads to nothing. Absolute.
std::filesystem::path real_path(const std::filesystem::path& path);

/// Whether a path is a folder or lies beneath it, by their names alone.
bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Whether it is the folder or lies beneath it when all links are followed. What a repository or a
/// model names is held to this: it may lie in the folder, and a link there may lead anywhere.
bool lies_beneath(const std::filesystem::path& path, const std::filesystem::path& folder);

} // namespace model_validator
