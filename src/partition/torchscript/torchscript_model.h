#pragma once

#include <model_validator/partition/divisible.h>

#include <torch/csrc/jit/api/module.h>

namespace model_validator::partition {

/// A module in memory. @throws Error
std::unique_ptr<Divisible> make_divisible(const torch::jit::Module& module,
                                          const OpenOptions& options);

/// A file. @throws Error
std::unique_ptr<Divisible> open_torchscript_model(const std::filesystem::path& file,
                                                  const OpenOptions& options);

} // namespace model_validator::partition
