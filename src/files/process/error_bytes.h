#pragma once

#include <model_validator/error.h>

#include <optional>
#include <string>
#include <string_view>

namespace model_validator::process {

/// An Error as bytes, for the process that is to report it.
std::string error_to_bytes(const Error& error);
/// @throws std::runtime_error for bytes that are cut off, or name no kind
Error error_from(std::string_view bytes);

/// The members of an Error, if there is one, as an archive takes them: an Error has no state before
/// they are known.
struct ErrorFields {
  bool there = false;
  std::string kind, path, cause, hint;
};
ErrorFields fields_of(const std::optional<Error>& error);
std::optional<Error> error_of(const ErrorFields& fields);

template <class Archive> void describe(Archive& archive, ErrorFields& error) {
  archive(error.there, error.kind, error.path, error.cause, error.hint);
}

} // namespace model_validator::process
