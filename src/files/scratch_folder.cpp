#include "files/scratch_folder.h"

#include "files/temporary_folder.h"

#include <model_validator/error.h>

#include <cstdlib>
#include <string>
#include <system_error>

namespace model_validator {

ScratchFolder::ScratchFolder() {
  std::string pattern = (temporary_folder() / "model_validator-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw Error(ErrorKind::cannot_write, pattern, "no temporary folder can be created",
                "set TMPDIR to a folder that can be written to");
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace model_validator
