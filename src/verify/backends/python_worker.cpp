#include "verify/backends/python_worker.h"

#include "files/environment.h"
#include "text/process_words.h"
#include "verify/backends/runtime_message.h"
#include "verify/inputs/npy.h"

#include <model_validator/error.h>

#include <array>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace model_validator::verify {
namespace {

struct Pipe {
  int read = -1, write = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw Error(ErrorKind::internal_error, "", "no pipe can be made");
    read = ends[0];
    write = ends[1];
  }
};

constexpr int not_found = 127;

/// @param parent  with which it ends, however that ends
[[noreturn]] void become(const std::string& python, const std::string& program, const Pipe& in,
                         const Pipe& out, const std::filesystem::path& log, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(not_found);
  const int errors = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ::dup2(in.read, STDIN_FILENO);
  ::dup2(out.write, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  // -B: it may write nowhere else.
  ::execl(python.c_str(), python.c_str(), "-B", "-c", program.c_str(), nullptr);
  ::_exit(not_found);
}

/// No signal comes of a write to a process that has ended; programs of others may not ignore it.
class NoBrokenPipe {
public:
  NoBrokenPipe() {
    ::sigemptyset(&broken_pipe_);
    ::sigaddset(&broken_pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe_, &before_);
  }
  ~NoBrokenPipe() {
    const timespec at_once{};
    ::sigtimedwait(&broken_pipe_, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

private:
  sigset_t broken_pipe_{}, before_{};
};

/// What Python wrote before it ended: of an exception, its name and words.
std::string last_line(const std::filesystem::path& log) {
  std::ifstream file(log);
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) last = std::move(line);
  return last;
}

/// A runtime that finds something wrong calls `abort`, after it has said what. The sandbox takes
/// the signal that this sends for one to another process, and refuses it.
std::string end_in_words(int status, const std::string& last) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const std::string words = signal == SIGABRT ? "ended itself (`abort`)"
                            : signal == SIGSYS
                                ? "ended itself (`abort`), or made a call that the sandbox refuses"
                                : ending_in_words(status);
  return last.empty() ? words : words + "; the last that it said: " + runtime_message(last);
}

} // namespace

std::string python_program() {
  if (std::string own = environment_variable("MODEL_VALIDATOR_PYTHON"); !own.empty()) return own;
  std::istringstream places(environment_variable("PATH"));
  for (std::string place; std::getline(places, place, ':');)
    if (const std::string file = place + "/python3"; ::access(file.c_str(), X_OK) == 0) return file;
  throw Error(ErrorKind::backend_missing, "", "there is no Python to load the runtime with",
              "put `python3` on the path, or name it in MODEL_VALIDATOR_PYTHON");
}

std::string python_hint(const std::string& package) {
  return "install " + package +
         " for the `python3` on the path, or name another Python in MODEL_VALIDATOR_PYTHON";
}

std::string without_current_folder(const std::string& program) {
  return "import sys\nsys.path[:] = [place for place in sys.path if place]\n" + program;
}

PythonWorker::PythonWorker(std::string words, std::string package, const std::string& program)
    : words_(std::move(words)), package_(std::move(package)) {
  const std::string python = python_program();
  const Pipe in, out;
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0)
    become(python, without_current_folder(program), in, out, folder() / "python.log", parent);
  ::close(in.read);
  ::close(out.write);
  requests_.reset(::fdopen(in.write, "w"));
  answers_.reset(::fdopen(out.read, "r"));
  if (process_ < 0) throw Error(ErrorKind::internal_error, "", "no process can be started");
}

PythonWorker::~PythonWorker() {
  requests_.reset(); // which it waits for
  answers_.reset();
  if (process_ > 0) ::waitpid(process_, nullptr, 0);
}

Json PythonWorker::ask(const Json& request) {
  if (!requests_) report_end();
  const NoBrokenPipe no_signal;
  const std::string line = json_text(request) + "\n";
  std::fwrite(line.data(), 1, line.size(), requests_.get());
  std::fflush(requests_.get());
  std::string text;
  for (int c = std::fgetc(answers_.get()); c != '\n'; c = std::fgetc(answers_.get())) {
    if (c == EOF) report_end();
    text += static_cast<char>(c);
  }
  Json answer = Json::parse(text, nullptr, false);
  if (!answer.is_object()) report_end();
  if (!answer.contains("error")) return answer;
  const std::string kind = answer.value("kind", ""),
                    why = runtime_message(answer.value("error", ""));
  if (kind == "missing") throw_missing(why);
  if (kind == "refused")
    throw Error(ErrorKind::backend_refused, "", words_ + " cannot load the model: " + why);
  throw Error(ErrorKind::run_failed, "", words_ + " failed: " + why);
}

void PythonWorker::throw_missing(const std::string& why) const {
  throw Error(ErrorKind::backend_missing, "", "Python cannot load " + words_ + ": " + why,
              python_hint("`" + package_ + "`"));
}

void PythonWorker::report_end() {
  if (process_ < 0)
    throw RuntimeEnded(ErrorKind::run_failed, "", "the Python process of " + words_ + " has ended");
  requests_.reset(); // which one that says something else may wait for
  int status = 0;
  ::waitpid(std::exchange(process_, -1), &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == not_found)
    throw Error(ErrorKind::backend_missing, "", "`" + python_program() + "` cannot be started",
                python_hint("`" + package_ + "`"));
  constexpr std::string_view missing = "ModuleNotFoundError: "; // numpy's, which runtimes need
  const std::string last = last_line(folder() / "python.log");
  if (last.starts_with(missing)) throw_missing(last.substr(missing.size()));
  throw RuntimeEnded(ErrorKind::run_failed, "",
                     "the Python process of " + words_ + " " + end_in_words(status, last));
}

namespace {

/// NumPy lacks some dtypes, whose bits it has as whole numbers.
void give_dtypes(NamedTensors& arrays, const Json& words) {
  for (std::size_t i = 0; i < arrays.size() && i < words.size(); ++i) {
    DType& dtype = arrays[i].tensor.view.dtype;
    const auto own = dtype_named(words[i].get<std::string>());
    if (own && stored_as(*own) == dtype) dtype = *own;
  }
}

} // namespace

PythonWorker::Answer PythonWorker::arrays_for(Json request, const NamedTensors& inputs,
                                              const NamedTensors& replaced) {
  const auto given = folder() / "given.npz", values = folder() / "values.npz",
             left = folder() / "left.npz";
  write_npz(given, inputs);
  request["replaced"] = Json::array();
  for (const auto& [name, tensor] : replaced) request["replaced"].push_back(name);
  if (!replaced.empty()) {
    NamedTensors numbered;
    for (const auto& [name, tensor] : replaced)
      numbered.push_back({std::to_string(numbered.size()), tensor});
    write_npz(values, numbered);
  }
  request["inputs"] = given.string();
  request["values"] = values.string();
  request["outputs"] = left.string();
  Answer answer;
  answer.said = ask(request);
  answer.arrays = read_npz(left);
  std::filesystem::remove(left);
  give_dtypes(answer.arrays, answer.said.value("dtypes", Json::array()));
  return answer;
}

namespace {

/// By the process that started them, as one that is forked has no part in them, and what they run.
struct IdleWorkers {
  using Key = std::tuple<pid_t, std::string, std::string>;
  std::mutex mutex;
  std::multimap<Key, std::unique_ptr<PythonWorker>> by_program;
};

IdleWorkers& idle_workers() {
  static IdleWorkers all;
  return all;
}

} // namespace

std::shared_ptr<PythonWorker> free_python_worker(const std::string& words,
                                                 const std::string& package,
                                                 const std::string& program) {
  const IdleWorkers::Key key{::getpid(), package, program};
  auto& [mutex, idle] = idle_workers();
  const std::scoped_lock lock(mutex);
  auto found = idle.extract(key);
  auto worker =
      found ? std::move(found.mapped()) : std::make_unique<PythonWorker>(words, package, program);
  return {worker.release(), [key](PythonWorker* used) {
            std::unique_ptr<PythonWorker> left(used);
            const std::scoped_lock over(idle_workers().mutex);
            if (left->is_alive()) idle_workers().by_program.emplace(key, std::move(left));
          }};
}

} // namespace model_validator::verify
