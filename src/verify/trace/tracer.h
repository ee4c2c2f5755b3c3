#pragma once

#include <model_validator/trace.h>

namespace model_validator::verify {

/// `trace_graph` for a TorchScript or torch.export file, as the library that holds LibTorch does
/// it.
/// @throws Error
TracedGraph trace_file(const std::filesystem::path& file, const TraceOptions& options,
                       const ReadOptions& read);

} // namespace model_validator::verify
