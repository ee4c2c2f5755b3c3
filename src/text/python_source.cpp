#include "text/python_source.h"

#include <filesystem>
#include <fstream>

namespace model_validator {
namespace {

constexpr std::uintmax_t largest = std::uintmax_t{8} << 20;

bool is_at_hand(const std::filesystem::path& file) {
  std::error_code failed;
  return file.extension() == ".py" && std::filesystem::is_regular_file(file, failed) &&
         std::filesystem::file_size(file, failed) <= largest && !failed;
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  if (!is_at_hand(file)) return lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

} // namespace

const std::string& PythonSource::line(const std::string& file, int number) {
  static const std::string nothing;
  const auto [place, added] = files_.try_emplace(file);
  if (added) place->second = lines_of(file);
  const auto index = static_cast<std::size_t>(number) - 1;
  return number > 0 && index < place->second.size() ? place->second[index] : nothing;
}

} // namespace model_validator
