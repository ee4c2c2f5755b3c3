#pragma once

#include "files/input_file.h"

#include <model_validator/graph_reader.h>

namespace model_validator {

/// What a zip holds, by the names in its directory.
/// @throws Error for every zip that is not a model
FileFormat zip_format(const InputFile& file);

} // namespace model_validator
