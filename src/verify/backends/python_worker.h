#pragma once

#include "files/json_text.h"
#include "files/scratch_folder.h"
#include "verify/inputs/npz.h"

#include <model_validator/error.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/types.h>

namespace model_validator::verify {

/// The Python that runtimes which only Python has are loaded with: that which our package runs in,
/// that of an environment that is active, or the first on the path.
/// @throws Error (`backend-missing`) where there is none
std::string python_program();

/// What to do where it does not find a package. @param package  how it is called, or what it is
std::string python_hint(const std::string& package);

/// The program with a beginning by which no module of the current folder is loaded: Python looks
/// there first.
std::string without_current_folder(const std::string& program);

/// A runtime ended its process, as no model should make it do.
class RuntimeEnded final : public Error {
public:
  using Error::Error;
};

/// A Python program that holds a model and answers what is asked of it, as `python/serve.py` does.
/// It is confined as the process that starts it is, and ends with this object.
class PythonWorker {
public:
  /// @param words  what the runtime is called, for messages
  /// @throws Error (`backend-missing`) where there is no Python
  PythonWorker(std::string words, std::string package, const std::string& program);
  ~PythonWorker();
  PythonWorker(const PythonWorker&) = delete;
  PythonWorker& operator=(const PythonWorker&) = delete;

  /// @throws Error (`backend-missing`) where Python lacks the package, (`backend-refused`) where
  /// the runtime does not load the model, (`run-failed`) where it does not run it, or ends the
  /// process
  Json ask(const Json& request);
  struct Answer {
    NamedTensors arrays; ///< that the request leaves in the file `outputs`
    Json said;
  };
  Answer arrays_for(Json request, const NamedTensors& inputs, const NamedTensors& replaced);

  bool is_alive() const { return process_ > 0; }
  /// Where a model may lie that it is to load.
  const std::filesystem::path& folder() const { return folder_.path(); }

private:
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  using Stream = std::unique_ptr<std::FILE, Close>;

  [[noreturn]] void report_end();
  [[noreturn]] void throw_missing(const std::string& why) const;

  std::string words_, package_;
  ScratchFolder folder_;
  pid_t process_ = -1;
  Stream requests_, answers_;
};

/// A process without a model: one whose model is gone, or a new one. @throws see its constructor
std::shared_ptr<PythonWorker> free_python_worker(const std::string& words,
                                                 const std::string& package,
                                                 const std::string& program);

} // namespace model_validator::verify
