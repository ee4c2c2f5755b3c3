#include "lint/excluded.h"

#include "text/plural.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

/// Of the command line, or of the file that it stands in.
fs::path folder_of(const Config& layer) {
  return layer.origin == "command line" ? fs::path(".") : fs::path(layer.origin).parent_path();
}

bool is_excluded(const fs::path& file, const std::vector<Config>& layers) {
  return std::ranges::any_of(layers, [&](const Config& layer) {
    const auto patterns = layer.exclude.value_or(std::vector<std::string>{});
    return std::ranges::any_of(patterns, [&](const std::string& pattern) {
      return fits_file_or_folder(pattern, file, folder_of(layer));
    });
  });
}

} // namespace

bool fits_file_or_folder(const std::string& pattern, const fs::path& file, const fs::path& folder) {
  const std::string bare = pattern.ends_with('/') ? pattern.substr(0, pattern.size() - 1) : pattern;
  for (fs::path part = file; !part.empty(); part = part.parent_path()) {
    if (pattern_fits(bare, part, folder)) return true;
    if (part == part.parent_path()) break;
  }
  return false;
}

void leave_out_excluded(std::vector<NamedFile>& files, SettingsSource& settings, bool may_be_all) {
  const std::size_t excluded = std::erase_if(files, [&](const NamedFile& file) {
    return file.found && is_excluded(file.path, settings.layers_for(file.name));
  });
  if (files.empty() && excluded > 0 && !may_be_all)
    throw Error(ErrorKind::no_models, "",
                "`exclude` leaves out " + plural(excluded, "file") + ", all that were found",
                "name a file itself to lint it all the same");
}

} // namespace model_validator
