#pragma once

#include "files/process/sandbox.h"

namespace model_validator::process {

/// Whether the kernel has Landlock, and it is switched on.
bool landlock_is_there();

/// From now on the calling thread, and those that it starts, open nothing but what is permitted.
/// Does nothing where the kernel has no Landlock. To be called after PR_SET_NO_NEW_PRIVS.
void restrict_files(const Permissions& permissions);

} // namespace model_validator::process
