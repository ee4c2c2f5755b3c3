#include "files/temporary_folder.h"

#include <model_validator/error.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace model_validator {

std::filesystem::path temporary_folder() {
  std::error_code missing;
  std::filesystem::path folder = std::filesystem::temp_directory_path(missing);
  if (!missing) return folder;
  const char* named = std::getenv("TMPDIR");
  throw Error(ErrorKind::cannot_write, named == nullptr ? "/tmp" : named,
              "it is no folder, and temporary files are to be kept there",
              "set TMPDIR to a folder that can be written to");
}

} // namespace model_validator
