#include "cli/console/output.h"

#include <model_validator/error.h>

#include <cerrno>
#include <cstring>
#include <iostream>

namespace model_validator::cli {

Output::Output(const std::filesystem::path& file, Passes passes) {
  if (!file.empty() && file != "-") file_.emplace(file);
  if (passes != Passes::commands) guarded_.emplace(target(), passes == Passes::colors);
}

std::ostream& Output::target() { return file_ ? file_->stream() : std::cout; }

std::ostream& Output::stream() { return guarded_ ? *guarded_ : target(); }

void Output::flush() {
  stream().flush();
  if (stream()) return;
  if (!file_ && errno == EPIPE) throw BrokenPipe{};
  throw Error(ErrorKind::cannot_write, file_ ? "" : "standard output",
              std::string("the result cannot be written: ") + std::strerror(errno));
}

void Output::finish() {
  flush();
  if (file_) file_->commit();
}

void print(const std::string& text, const std::filesystem::path& file, Passes passes) {
  Output output(file, passes);
  output.stream() << text;
  output.finish();
}

} // namespace model_validator::cli
