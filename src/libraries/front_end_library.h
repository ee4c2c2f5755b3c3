#pragma once

#include "connected_graph/front_end.h"

namespace model_validator {

/// The TorchScript front end, in a library of its own because it needs LibTorch: loaded at the
/// first call, once for all threads.
/// @param file  the file to be read, for the Error
/// @throws Error (`no-libtorch`)
const FrontEnd& torchscript_front_end(const std::filesystem::path& file);

/// Loads a library that a worker asked for, and prepares its front end, so that all workers made
/// from now on have it. @param name  a worker's word, which is not to be trusted
/// @throws Error (`no-libtorch`, `bad-op-library`)
void load_for_workers(const std::string& name, const ReadOptions& options);

} // namespace model_validator
