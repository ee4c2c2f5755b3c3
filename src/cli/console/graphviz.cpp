#include "cli/console/graphviz.h"

#include <model_validator/error.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <ostream>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace model_validator::cli {
namespace {

constexpr const char* suggestion =
    "`--format dot` writes the graph without drawing it; `--depth` draws less of it";

struct Close {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// A file without a name, which disappears when it is closed.
File scratch_file() {
  File file(std::tmpfile());
  if (!file)
    throw Error(ErrorKind::cannot_write, "", "there is no room for a temporary file", "set TMPDIR");
  return file;
}

class FileActions {
public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void connect(std::FILE* file, int descriptor) {
    posix_spawn_file_actions_adddup2(&actions_, ::fileno(file), descriptor);
  }
  const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

private:
  posix_spawn_file_actions_t actions_{};
};

/// The limits also hold if this program ends first.
void limit(pid_t child, std::chrono::seconds most) {
  constexpr rlim_t bytes = rlim_t{2} << 30;
  const auto seconds = static_cast<rlim_t>(most.count());
  const rlimit time{seconds, seconds};
  const rlimit memory{bytes, bytes};
  ::prlimit(child, RLIMIT_CPU, &time, nullptr);
  ::prlimit(child, RLIMIT_AS, &memory, nullptr);
}

void run_dot(std::FILE* input, std::FILE* output, std::chrono::seconds most) {
  std::string program = "dot";
  std::string argument = "-Tsvg";
  const std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  FileActions actions;
  actions.connect(input, STDIN_FILENO);
  actions.connect(output, STDOUT_FILENO);
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, program.c_str(), actions.get(), nullptr, arguments.data(), environ);
  if (error != 0)
    throw Error(ErrorKind::graphviz_missing, "",
                "drawing needs the program `dot` of Graphviz, which cannot be run: " +
                    std::string(std::strerror(error)),
                "install Graphviz (on Debian `apt-get install graphviz`), or write `--format dot`");
  limit(child, most);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(ErrorKind::graphviz_failed, "",
                "Graphviz did not draw the graph within " + std::to_string(most.count()) +
                    " seconds and 2 GiB",
                suggestion);
}

} // namespace

void write_svg(std::ostream& out, const std::string& dot, std::chrono::seconds limit) {
  const File input = scratch_file();
  const File output = scratch_file();
  if (std::fwrite(dot.data(), 1, dot.size(), input.get()) != dot.size() ||
      std::fflush(input.get()) != 0)
    throw Error(ErrorKind::cannot_write, "", "the graph does not fit into a temporary file",
                suggestion);
  std::rewind(input.get());
  run_dot(input.get(), output.get(), limit);
  std::rewind(output.get());
  std::array<char, 1 << 16> piece{};
  for (std::size_t read = 0; (read = std::fread(piece.data(), 1, piece.size(), output.get())) > 0;)
    out.write(piece.data(), static_cast<std::streamsize>(read));
}

} // namespace model_validator::cli
