#pragma once

#include <model_validator/error_kind.h>

#include <string_view>

namespace model_validator {

/// A kind of file that is not a model, or a model that is not read: how it starts and what to say.
struct KnownFile {
  ErrorKind kind;
  std::string_view cause;
  std::string_view hint;
};

/// The kind of a file that starts like this; null if its first bytes are not those of a known kind.
const KnownFile* known_file(std::string_view head);

} // namespace model_validator
