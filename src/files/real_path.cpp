#include "files/real_path.h"

#include <algorithm>
#include <system_error>

namespace model_validator {

namespace fs = std::filesystem;

std::vector<fs::path> links_from(fs::path path) {
  constexpr std::size_t max_links = 40;
  std::error_code error;
  std::vector<fs::path> chain{std::move(path)};
  while (chain.size() <= max_links && fs::is_symlink(chain.back(), error)) {
    const fs::path target = fs::read_symlink(chain.back(), error);
    chain.push_back(chain.back().parent_path() / target); // the target alone if it is absolute
  }
  return chain;
}

fs::path real_path(const fs::path& path) {
  std::error_code error;
  const fs::path end = fs::absolute(links_from(path).back(), error);
  const fs::path real = fs::weakly_canonical(end, error);
  return error ? end.lexically_normal() : real;
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

bool lies_beneath(const fs::path& path, const fs::path& folder) {
  return is_within(real_path(path), real_path(folder.empty() ? fs::path(".") : folder));
}

} // namespace model_validator
