#pragma once

namespace model_validator::process {

/// Removes all of this process's environment but what libraries that read and run models need:
/// tokens and passwords are not for them. What is removed is overwritten, so that it is not found
/// in the process's memory or under `/proc` either. The process must have one thread.
void keep_harmless_environment();

} // namespace model_validator::process
