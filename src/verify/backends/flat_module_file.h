#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <filesystem>
#include <vector>

namespace model_validator::verify {

/// Writes what runs of a module with these inputs, as `retrace` records it, for a Python that has
/// torch: a module without code. Its attribute `text` is that of the graph, whose inputs are
/// called `input_0` and so on; the last ones, which have no number, are the `constants`. `paths`
/// has the path of each node's module. @throws Error (`cannot-flatten`)
void write_flat_module(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs,
                       const std::filesystem::path& file);

} // namespace model_validator::verify
