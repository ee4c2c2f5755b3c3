#include "files/python_source.h"

#include "files/regular_file.h"

#include <filesystem>
#include <sstream>

namespace model_validator {
namespace {

constexpr std::uint64_t largest = std::uint64_t{8} << 20;

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  if (std::filesystem::path(file).extension() != ".py") return lines;
  std::istringstream text(read_regular_file(file, largest).bytes);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
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
