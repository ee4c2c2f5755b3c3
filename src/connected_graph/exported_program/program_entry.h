#pragma once

#include "files/input_file.h"
#include "files/zip_archive.h"

#include <string>

namespace model_validator::exported_program {

/// The entry of the one program in a file, inside the top folder. It is that which every reader of
/// the zip finds: torch reads it with two others, and the last of two entries, or of two
/// directories, is the first to another.
/// @throws Error (`damaged-zip`, `several-models`, `damaged-exported-program`)
std::string program_entry(const InputFile& file, const ZipArchive& zip);

} // namespace model_validator::exported_program
