#pragma once

#include <string>
#include <string_view>

namespace model_validator::torchscript {

/// The Python name of a TorchScript name:
/// `__torch__.torch.nn.modules.conv.___torch_mangle_1.Conv2d` → `torch.nn.modules.conv.Conv2d`.
std::string python_name(std::string_view qualified_name);

/// The Python method of a TorchScript method: a trace numbers the calls of `forward` as `forward1`,
/// `forward2`…, and an overloaded method is compiled as `forward__0`, `forward__1`….
std::string python_method(std::string_view method);

/// Whether a Python function belongs to `torch.nn.functional` or `torch.functional`.
bool is_torch_functional(std::string_view python_name);

} // namespace model_validator::torchscript
