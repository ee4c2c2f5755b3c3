#pragma once

#include "connected_graph/front_end.h"

namespace model_validator {

/// The TorchScript front end, in a library of its own because it needs LibTorch: loaded at the
/// first call, once for all threads.
/// @param file  the file to be read, for the Error
/// @throws Error (`no-libtorch`)
const FrontEnd& torchscript_front_end(const std::filesystem::path& file);

} // namespace model_validator
