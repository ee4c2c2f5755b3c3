#pragma once

#include "files/process/sandbox.h"

namespace model_validator::process {

/// Whether the kernel has Landlock, and it is switched on.
bool landlock_is_there();

/// From now on the calling thread, and those that it starts, open nothing but what is permitted.
/// Must be called after PR_SET_NO_NEW_PRIVS. @returns whether the kernel accepted it
bool restrict_files(const Permissions& permissions);

} // namespace model_validator::process
