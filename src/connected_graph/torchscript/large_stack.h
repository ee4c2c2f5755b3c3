#pragma once

#include <functional>

namespace model_validator::torchscript {

/// Runs `work` to its end on a thread with a stack of a gigabyte (of which only what is used takes
/// memory): LibTorch's parser and compiler, and the destructors of nested values, are recursive.
/// What `work` throws is thrown here.
void with_large_stack(const std::function<void()>& work);

} // namespace model_validator::torchscript
