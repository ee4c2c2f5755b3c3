#include "files/plain_file.h"

#include <model_validator/error.h>

#include <fstream>

namespace model_validator {

void write_plain_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& write) {
  std::ofstream stream(file, std::ios::binary);
  write(stream);
  stream.close();
  if (!stream) throw Error(ErrorKind::cannot_write, file.string(), "the file cannot be written");
}

} // namespace model_validator
