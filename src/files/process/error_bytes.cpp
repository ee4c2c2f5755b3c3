#include "files/process/error_bytes.h"

#include "files/process/byte_archive.h"

namespace model_validator::process {

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
  return {fields.kind, fields.path, fields.cause, fields.hint};
}

ErrorFields fields_of(const std::optional<Error>& error) {
  if (!error) return {};
  return {true, error->kind(), error->path(), error->what(), error->hint()};
}

std::optional<Error> error_of(const ErrorFields& fields) {
  if (!fields.there) return std::nullopt;
  return Error(fields.kind, fields.path, fields.cause, fields.hint);
}

} // namespace model_validator::process
