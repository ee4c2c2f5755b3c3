#pragma once

#include <model_validator/error_kind.h>

#include <stdexcept>
#include <string>

namespace model_validator {

/// Why a file could not be read, or a command could not be carried out.
///
/// Never used for what a model does wrong: that is a finding. `what()` is the cause alone, one
/// sentence in lower case without a full stop; `hint` says how to fix it.
class Error : public std::runtime_error {
public:
  /// @param path   the file concerned, as the user named it; empty if there is none
  /// @param cause  what is wrong
  /// @param hint   what the user can do about it; may be empty
  Error(ErrorKind kind, std::string path, const std::string& cause, std::string hint = {})
      : std::runtime_error(cause), kind_(kind), path_(std::move(path)), hint_(std::move(hint)) {}

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& path() const noexcept { return path_; }
  const std::string& hint() const noexcept { return hint_; }

private:
  ErrorKind kind_;
  std::string path_;
  std::string hint_;
};

} // namespace model_validator
