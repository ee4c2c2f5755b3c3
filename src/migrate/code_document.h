#pragma once

#include "connected_graph/torchscript/file/load_places.h"

#include <string>

namespace model_validator::torchscript {

/// A TorchScript file as it stands, in JSON: objects, classes, functions as trees of nodes,
/// operators with their arguments, and where in the file each tensor lies. For whoever writes
/// Python of it: every name in it is the file's word, and nothing of it has been looked at.
/// @throws Error
std::string code_document(const LoadedFile& file, const Places& places);

} // namespace model_validator::torchscript
