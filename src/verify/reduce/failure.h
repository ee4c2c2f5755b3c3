#pragma once

#include "verify/reduce/attempt.h"
#include "verify/reduce/onnx_outline.h"

#include <set>
#include <string>

namespace model_validator::verify {

/// How a model fails, so that a part of it can be said to fail in the same way.
class Failure {
public:
  Failure(Answer answer, std::string message, const OnnxOutline& outline);

  Answer answer() const noexcept { return answer_; }
  const std::string& message() const noexcept { return message_; }
  /// Whether it ends in the same way, and the runtime says much the same of it. Names of the
  /// model's own and numbers do not count.
  bool is_like(const Attempt& other) const;

private:
  std::set<std::string> words_of(const std::string& message) const;

  Answer answer_;
  std::string message_;
  std::set<std::string> own_names_; ///< words in the names that the model gives
  std::set<std::string> words_;
};

} // namespace model_validator::verify
