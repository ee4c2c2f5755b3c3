#pragma once

#include <model_validator/partition/manifest.h>

namespace model_validator::partition {

inline constexpr const char* manifest_name = "manifest.json";
inline constexpr const char* manifest_schema = "model_validator-subgraphs/1";

/// Writes `manifest.json`, schema `model_validator-subgraphs/1`, into a folder.
void write_manifest(const Manifest& manifest, const std::filesystem::path& folder);

/// Reads it: every value that is taken is given before, and every subgraph lies in the folder.
/// @throws Error (`not-found`, `damaged-manifest`)
Manifest read_manifest(const std::filesystem::path& folder);

} // namespace model_validator::partition
