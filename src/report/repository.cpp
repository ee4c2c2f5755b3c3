#include "report/repository.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace model_validator {
namespace {

bool stays(unsigned char c) {
  constexpr std::string_view plain = "-._~/";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         plain.find(static_cast<char>(c)) != std::string_view::npos;
}

std::string encoded(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    std::array<char, 4> digits{};
    std::snprintf(digits.data(), digits.size(), "%%%02X", static_cast<unsigned>(byte));
    uri += stays(byte) ? std::string(1, c) : digits.data();
  }
  return uri;
}

namespace fs = std::filesystem;

fs::path repository_around(const fs::path& folder) {
  std::error_code failed;
  for (fs::path each = folder; each.has_relative_path(); each = each.parent_path())
    if (fs::exists(each / ".git", failed)) return each;
  return folder;
}

} // namespace

std::string uri_of(const std::string& path) {
  if (const std::string below = path_in_repository(path); !below.empty()) return encoded(below);
  const std::filesystem::path file(path);
  if (!file.is_absolute()) return encoded(file.lexically_normal().string());
  return "file://" + encoded(path);
}

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
