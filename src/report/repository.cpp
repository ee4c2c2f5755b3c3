#include "report/repository.h"

#include <filesystem>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

fs::path repository_around(const fs::path& folder) {
  std::error_code failed;
  for (fs::path each = folder; each.has_relative_path(); each = each.parent_path())
    if (fs::exists(each / ".git", failed)) return each;
  return folder;
}

} // namespace

std::string path_in_repository(const std::string& file) {
  std::error_code failed;
  const fs::path folder = fs::current_path(failed);
  if (failed) return {};
  const fs::path path = (folder / file).lexically_normal();
  const fs::path below = path.lexically_relative(repository_around(folder));
  return below.empty() || *below.begin() == ".." ? std::string() : below.string();
}

const DiagnosticLocation* location_at_hand(const Diagnostic& finding) {
  for (const DiagnosticLocation& location : finding.locations) {
    const fs::path file = location.source.file;
    std::error_code failed;
    if (location.source.known() && (file.is_relative() || fs::exists(file, failed)))
      return &location;
  }
  return nullptr;
}

std::string place_elsewhere(const SourceLocation& source) {
  return "`" + fs::path(source.file).filename().string() + ":" + std::to_string(source.line) +
         "`, which is not on this machine";
}

} // namespace model_validator
