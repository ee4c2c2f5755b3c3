#include "files/installed_package.h"

#include <algorithm>
#include <vector>

namespace model_validator {
namespace {

/// On any system: a path recorded on Windows has backslashes.
std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto end = std::min(path.find_first_of("/\\"), path.size());
    if (end > 0) parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

bool holds_packages(std::string_view folder) {
  return folder == "site-packages" || folder == "dist-packages";
}

} // namespace

std::string installed_package(std::string_view file) {
  const auto parts = parts_of(file);
  // An environment may lie inside another one's packages: the innermost folder counts.
  const auto folder = std::find_if(parts.rbegin(), parts.rend(), holds_packages);
  auto package = folder.base();
  if (folder == parts.rend() || package == parts.end()) return {};
  if (package->ends_with(".egg") && package + 1 != parts.end()) ++package;
  return std::string(package->substr(0, package->find(".py")));
}

} // namespace model_validator
