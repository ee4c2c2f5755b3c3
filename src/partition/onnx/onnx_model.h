#pragma once

#include <model_validator/partition/partitionable_model.h>

namespace model_validator::partition {

/// @throws Error
std::unique_ptr<PartitionableModel> open_onnx_model(const std::filesystem::path& file,
                                                    const OpenOptions& options);

} // namespace model_validator::partition
