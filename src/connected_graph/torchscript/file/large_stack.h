#pragma once

#include <functional>

namespace model_validator::torchscript {

/// Runs `work` to completion on a thread with a stack of a gigabyte (only the part used takes
/// memory): LibTorch's parser and compiler, and the destructors of nested values, are recursive.
/// Rethrows what `work` throws.
void with_large_stack(const std::function<void()>& work);

} // namespace model_validator::torchscript
