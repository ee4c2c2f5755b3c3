#pragma once

#include <model_validator/error_kind.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace model_validator {

/// A model that a call is about.
struct CalledModel {
  std::string name;           ///< what the user calls it
  std::filesystem::path path; ///< where its bytes are
};

/// One question about models, as the C interface and the service hand it on.
struct Call {
  std::string question; ///< `check`, `graph`, `inspect`, `partition`, `diff`
  std::vector<CalledModel> models;
  std::string options; ///< one JSON object; empty: none
};

/// The answer.
struct Reply {
  int status = 0; ///< as the exit status of the program
  /// By format: `json`, `sarif`, …; `log`; `error` where the question could not be answered.
  std::map<std::string, std::string> texts;
};

template <class Archive> void describe(Archive& archive, CalledModel& model) {
  std::string path = model.path.string();
  archive(model.name, path);
  model.path = path;
}
template <class Archive> void describe(Archive& archive, Call& call) {
  archive(call.question, call.models, call.options);
}

/// Where the models are read.
enum class Reader {
  confined, ///< a forked process that can only compute; for a process with one thread
  in_place  ///< this process: for models that the caller trusts
};

/// Answers a call. What goes wrong is in the reply.
Reply answer(const Call& call, Reader reader);

/// The reply that carries an error.
Reply failure(ErrorKind kind, const std::string& path, const std::string& message,
              const std::string& hint);

} // namespace model_validator
