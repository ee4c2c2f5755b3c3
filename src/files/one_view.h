#pragma once

#include "files/zip_archive.h"
#include "files/zip_end.h"

#include <string>

namespace model_validator {

/// A zip that every reader of zips finds the same in: torch reads it with two others, and the last
/// of two entries, or of two directories, is the first to another.
/// @param bytes  of the zip
/// @throws Error (`damaged-zip`)
void require_one_view(const ZipArchive& zip, const ZipBytes& bytes);

/// @throws Error (`damaged-zip`), always
[[noreturn]] void contradict(const ZipArchive& zip, const std::string& about);

} // namespace model_validator
