#pragma once

#include <string>
#include <string_view>

namespace model_validator::torchscript {

/// The Python name behind a TorchScript name:
/// `__torch__.torch.nn.modules.conv.___torch_mangle_1.Conv2d` → `torch.nn.modules.conv.Conv2d`.
std::string python_name(std::string_view qualified_name);

/// Whether a Python function belongs to `torch.nn.functional` or `torch.functional`.
bool is_torch_functional(std::string_view python_name);

} // namespace model_validator::torchscript
