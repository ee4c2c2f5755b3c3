#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace model_validator::process {

/// The files next to an ONNX model that it names as places of weights. They are found by their
/// spelling: this process parses no file. Of a model that is larger than 64 MiB, whose weights lie
/// in itself, none are found, and no more than ten thousand of any.
std::set<std::string> external_names(const std::filesystem::path& model);

} // namespace model_validator::process
