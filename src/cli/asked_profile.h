#pragma once

#include <model_validator/graph_reader.h>
#include <model_validator/verify/probe.h>

#include <filesystem>
#include <string>

namespace model_validator::cli {

/// What a runtime answered about a model and its nodes, as a target profile. It judges models and
/// nodes that are the same in all that the file says of them, and knows nothing of others.
/// @param target  what it is called
/// @param before  of the same runtime, whose answers are kept; empty: none
/// @throws Error (`already-there`) where that is of another one, and for a model that cannot be
/// read
std::string asked_profile(const std::filesystem::path& model, const ReadOptions& options,
                          const verify::ProbeResult& probed, const std::string& target,
                          const std::filesystem::path& before);

} // namespace model_validator::cli
