#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace model_validator::cli {

/// The package that a requirement is about, as indexes of packages spell it: `torch-tensorrt` of
/// `Torch_TensorRT >=2.11 ; extra == "x"`; empty for other text.
std::string package_of(std::string_view requirement);

/// The packages that a line may require, whatever kind of file it is of: `openvino==2026.1`,
/// `  - openvino`, `install_requires = openvino`, `extras["cpu"] = ["openvino>=2026"]`. What names
/// and describes the project itself is left out.
std::vector<std::string> packages_in(std::string_view line);

} // namespace model_validator::cli
