#pragma once

#include <model_validator/error_kind.h>

#include <string_view>

namespace model_validator {

/// A kind of file that is no model, or a model that is not read: how it starts and what to say.
struct KnownFile {
  ErrorKind kind;
  std::string_view cause;
  std::string_view hint;
};

/// What a file is that starts like this; null for none of the kinds we know by their first bytes.
const KnownFile* known_file(std::string_view head);

} // namespace model_validator
