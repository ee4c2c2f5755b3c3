#pragma once

#include "verify/reduce/attempt.h"
#include "verify/reduce/onnx_outline.h"

#include <optional>
#include <set>
#include <string>

namespace model_validator::verify {

/// How a model fails, so that a part of it can be said to fail in the same way.
class Failure {
public:
  /// @param other  a runtime that runs the whole model, if any
  Failure(Answer answer, std::string message, const OnnxOutline& outline,
          std::optional<AskedRuntime> other = std::nullopt);

  Answer answer() const noexcept { return answer_; }
  const std::string& message() const noexcept { return message_; }
  /// What must also run each part, for else the part itself is wrong.
  const std::optional<AskedRuntime>& other() const noexcept { return other_; }
  /// Whether it ends in the same way, and the runtime says much the same of it. Names of the
  /// model's own and numbers do not count.
  bool is_like(const Attempt& other) const;

private:
  std::set<std::string> words_of(const std::string& message) const;

  Answer answer_;
  std::string message_;
  std::optional<AskedRuntime> other_;
  std::set<std::string> own_names_; ///< words in the names that the model gives
  std::set<std::string> words_;
};

} // namespace model_validator::verify
