#pragma once

#include <model_validator/partition/partitionable_model.h>

#include <torch/csrc/jit/api/module.h>

namespace model_validator::partition {

/// A module in memory. @throws Error
std::unique_ptr<PartitionableModel> make_partitionable(const torch::jit::Module& module,
                                                       const OpenOptions& options);

/// A TorchScript or torch.export file. A program that cannot be run has a plan alone.
/// @throws Error
std::unique_ptr<PartitionableModel> open_model_of_torch(const std::filesystem::path& file,
                                                        const OpenOptions& options);

} // namespace model_validator::partition
