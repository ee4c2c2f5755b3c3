#pragma once

#include "files/process/sandbox.h"

namespace model_validator::process {

/// Whether the kernel filters system calls.
bool system_call_filter_is_there();

/// From now on the calling thread, and those that it starts, ask the kernel for nothing but what
/// is permitted. Must be called after PR_SET_NO_NEW_PRIVS. @returns whether the kernel accepted it
bool restrict_system_calls(const Permissions& permissions);

} // namespace model_validator::process
