#include "files/data_folder.h"

#include <dlfcn.h>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

/// The folder of the file that holds this code: the library, wherever it was installed.
fs::path own_folder() {
  static const char anchor = 0;
  Dl_info info{};
  if (dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code failed;
  return fs::canonical(info.dli_fname, failed).parent_path();
}

} // namespace

/// The build tree has the shape of an installed one; a multi-arch library folder is one deeper.
fs::path data_folder() {
  const fs::path own = own_folder();
  std::error_code failed;
  for (const char* above : {"..", "../.."})
    if (fs::path folder = (own / above / "share/model_validator").lexically_normal();
        fs::is_regular_file(folder / "rules/aimet.toml", failed))
      return folder;
  return {};
}

} // namespace model_validator
