#pragma once

#include <model_validator/error.h>

#include <cctype>
#include <optional>
#include <string>

namespace model_validator::test {

/// The Error that `work` throws; none where it throws none.
template <typename Work> std::optional<Error> thrown_by(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// Its kind; empty where there is none.
template <typename Work> std::string kind_thrown_by(Work&& work) {
  const auto error = thrown_by(work);
  return error ? std::string(to_string(error->kind())) : std::string();
}

/// Whether the cause is one sentence as we write them: one line, lower case, no full stop.
inline bool well_worded(const Error& error) {
  const std::string cause = error.what();
  if (cause.empty() || cause.back() == '.' || cause.find('\n') != std::string::npos) return false;
  const bool acronym = cause.size() > 1 && std::isupper(static_cast<unsigned char>(cause[1])) != 0;
  return acronym || std::isupper(static_cast<unsigned char>(cause[0])) == 0 ||
         cause.rfind("TorchScript", 0) == 0 || cause.rfind("LibTorch", 0) == 0;
}

} // namespace model_validator::test
