#pragma once

#include <model_validator/graph_reader.h>

namespace model_validator {

/// Reads a torch.export program (`.pt2`). Its weights are not read.
/// @throws Error (`damaged-exported-program`, `unsupported-version`, `too-large`, and those of
/// InputFile and ZipArchive)
ConnectedGraph read_exported_program(const std::filesystem::path& file,
                                     const ReadOptions& options = {});

} // namespace model_validator
