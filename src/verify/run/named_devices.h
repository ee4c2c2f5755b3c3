#pragma once

#include <torch/csrc/jit/api/module.h>

namespace model_validator::verify {

/// Code that was traced on a GPU names it: `torch.zeros(…, device=torch.device("cuda:0"))`. Makes
/// it name the CPU, for every copy of the module.
/// @returns whether it named a GPU
bool name_cpu(const torch::jit::Module& module);

/// For a program of torch.export, which is moved as a whole, as torch's own
/// `move_to_device_pass` does: wherever it names the CPU, it will name the GPU that it is moved to.
void name_where_it_runs(const torch::jit::Module& module);

/// Makes the code name the GPU that it named when it was read, or that it is moved to.
void name_gpu(const torch::jit::Module& module);

} // namespace model_validator::verify
