#pragma once

#include "verify/reduce/attempt.h"

#include <filesystem>
#include <optional>
#include <string>

namespace model_validator::verify {

/// Something that a runtime was asked, and its identity.
struct Question {
  std::string text;    ///< JSON that says all that the answer depends on, besides the runtime
  std::string runtime; ///< `onnxruntime:CUDAExecutionProvider`, or a command
  std::string version;
};

/// Answers of runtimes, in a folder, a file each. Several programs may share it.
class AnswerFolder {
public:
  /// @param folder  made when something is to be kept
  explicit AnswerFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// @returns nothing where it was not asked, or its file is damaged
  std::optional<Attempt> find(const Question& question) const;
  /// @throws Error (`cannot-write`)
  void keep(const Question& question, const Attempt& attempt) const;

private:
  std::filesystem::path file_for(const Question& question) const;

  std::filesystem::path folder_;
};

/// The user's own, in which caches are kept.
std::filesystem::path usual_answers_folder();

} // namespace model_validator::verify
