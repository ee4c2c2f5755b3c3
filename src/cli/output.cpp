#include "cli/output.h"

#include <model_validator/error.h>

#include <cerrno>
#include <cstring>
#include <iostream>

namespace model_validator::cli {

Output::Output(const std::filesystem::path& file) {
  if (!file.empty() && file != "-") file_.emplace(file);
}

std::ostream& Output::stream() { return file_ ? file_->stream() : std::cout; }

void Output::flush() {
  stream().flush();
  if (stream()) return;
  if (!file_ && errno == EPIPE) throw BrokenPipe{};
  throw Error("cannot-write", file_ ? "" : "standard output",
              std::string("the result cannot be written: ") + std::strerror(errno));
}

void Output::finish() {
  flush();
  if (file_) file_->commit();
}

} // namespace model_validator::cli
