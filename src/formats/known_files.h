#pragma once

#include <model_validator/error.h>

#include <filesystem>
#include <string_view>

namespace model_validator {

/// A kind of file that is not a model, or a model that is not read: how it starts and what to say.
struct KnownFile {
  ErrorKind kind;
  std::string_view cause;
  std::string_view hint; ///< `{file}` stands for it, `{commands}` for the folder of programs
};

/// What is said of a file of a known kind.
Error error_about(const KnownFile& known, const std::filesystem::path& file);

/// The kind of a file that starts like this; null if its first bytes are not those of a known kind.
const KnownFile* known_file(std::string_view head);
/// A Core ML model in one file, which has no mark of its own.
const KnownFile& core_ml_file();

/// Says what a file is taken for by its name alone, if its content says nothing.
/// @throws Error for a name that tells
void refuse_by_name(const std::filesystem::path& path);

} // namespace model_validator
