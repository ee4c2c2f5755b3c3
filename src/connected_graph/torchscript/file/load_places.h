#pragma once

#include "connected_graph/torchscript/file/load.h"

#include <map>

namespace model_validator::torchscript {

/// Where in the file each storage begins whose bytes lie in it as they are, by the address of its
/// data.
using Places = std::map<const void*, std::uint64_t>;

/// Loads a file as above, and says where its storages lie.
LoadedFile load_file(const std::filesystem::path& file, const LoadOptions& options, Places& places);

} // namespace model_validator::torchscript
