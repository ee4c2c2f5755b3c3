#include "rules/config.h"

#include <algorithm>
#include <fnmatch.h>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

bool fits(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

} // namespace

bool pattern_fits(const std::string& pattern, const fs::path& file, const fs::path& folder) {
  if (pattern.find('/') == std::string::npos && fits(pattern, file.filename().string()))
    return true;
  std::error_code failed;
  const fs::path below = fs::absolute(file, failed)
                             .lexically_normal()
                             .lexically_relative(fs::absolute(folder, failed).lexically_normal());
  return fits(pattern, below.string()) || fits(pattern, file.string());
}

std::vector<Config> layers_for(const ConfigFile& file, const fs::path& model) {
  std::vector<Config> layers = file.layers;
  for (const PerFileConfig& part : file.per_file) {
    const fs::path folder = fs::path(part.config.origin).parent_path();
    if (std::ranges::any_of(part.files, [&](const std::string& pattern) {
          return pattern_fits(pattern, model, folder);
        }))
      layers.push_back(part.config);
  }
  return layers;
}

} // namespace model_validator
