#include "report/uri.h"

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

} // namespace

std::string uri_of(const std::string& path) {
  if (const std::string below = path_in_repository(path); !below.empty()) return encoded(below);
  const std::filesystem::path file(path);
  if (!file.is_absolute()) return encoded(file.lexically_normal().string());
  return "file://" + encoded(path);
}

} // namespace model_validator
