#pragma once

#include <model_validator/partition/manifest.h>

namespace model_validator::partition {

inline constexpr const char* manifest_name = "manifest.json";
inline constexpr const char* manifest_schema = "model_validator-subgraphs/1";

/// Writes `manifest.json`, schema `model_validator-subgraphs/1`, into a folder.
void write_manifest(const Manifest& manifest, const std::filesystem::path& folder);

/// Reads and checks it: each value is produced before it is used, and every subgraph is in the
/// folder.
/// @throws Error (`not-found`, `damaged-manifest`)
Manifest read_manifest(const std::filesystem::path& folder);

} // namespace model_validator::partition
