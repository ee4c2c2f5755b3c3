#include "files/process/error_bytes.h"

#include "files/process/byte_archive.h"

#include <stdexcept>

namespace model_validator::process {
namespace {

Error error_with(const ErrorFields& fields) {
  const auto kind = error_kind_of(fields.kind);
  if (!kind) throw std::runtime_error("there is no such kind of error");
  return {*kind, fields.path, fields.cause, fields.hint};
}

} // namespace

std::string error_to_bytes(const Error& error) {
  ErrorFields fields = fields_of(error);
  ByteWriter writer;
  writer(fields);
  return writer.bytes();
}

Error error_from(std::string_view bytes) {
  ErrorFields fields;
  ByteReader reader(bytes);
  reader(fields);
  return error_with(fields);
}

ErrorFields fields_of(const std::optional<Error>& error) {
  if (!error) return {};
  return {true, std::string(to_string(error->kind())), error->path(), error->what(), error->hint()};
}

std::optional<Error> error_of(const ErrorFields& fields) {
  if (!fields.there) return std::nullopt;
  return error_with(fields);
}

} // namespace model_validator::process
