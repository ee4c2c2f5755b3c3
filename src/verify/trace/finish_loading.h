#pragma once

#include "connected_graph/torchscript/file/load.h"

#include <cstddef>
#include <filesystem>

namespace model_validator::verify {

/// Makes a module that was loaded without running its code ready to run: quantized modules keep
/// packed weights, which their own code makes from what the file holds, the inner objects first.
/// @param max_steps  the most nodes and loop iterations of that code; 0: no limit
/// @throws Error (`unsafe-op`) for code that does more than compute
void finish_loading(const torchscript::LoadedFile& loaded, std::size_t max_steps,
                    const std::filesystem::path& file);

} // namespace model_validator::verify
