#include "files/python_source.h"

#include "files/real_path.h"
#include "files/regular_file.h"

#include <algorithm>
#include <sstream>

namespace model_validator {
namespace {

constexpr std::uint64_t largest = std::uint64_t{8} << 20;

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::istringstream text(read_regular_file(file, largest).bytes);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

} // namespace

bool is_source(const std::filesystem::path& file, const std::vector<std::filesystem::path>& roots) {
  return real_path(file).extension() == ".py" &&
         (lies_beneath(file, ".") || std::any_of(roots.begin(), roots.end(), [&](const auto& root) {
            return lies_beneath(file, root);
          }));
}

const std::string& PythonSource::line(const std::string& file, int number) {
  static const std::string nothing;
  const auto [place, added] = files_.try_emplace(file);
  if (added && is_source(file, roots_)) place->second = lines_of(file);
  const auto index = static_cast<std::size_t>(number) - 1;
  return number > 0 && index < place->second.size() ? place->second[index] : nothing;
}

} // namespace model_validator
