#pragma once

#include <string>

namespace model_validator::verify {

/// The release of what runs a backend's models; empty where it is not known. Loads that, so it is
/// for a process of its own. @throws Error (`backend-missing`)
std::string runtime_version(const std::string& backend);

std::string openvino_version();

} // namespace model_validator::verify
