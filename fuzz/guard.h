#pragma once

#include <functional>

namespace fuzz {

/// Does `work` and ends the process, as a finding of the fuzzer, where that takes more than 5 s of
/// processor time or 512 MB of memory, writes to standard output, leaves a file open, or creates
/// the file `canary()`. FUZZ_SECONDS and FUZZ_MEGABYTES set other limits.
void within_limits(const std::function<void()>& work);

/// The path of a file that only appears if what was read is executed. It lies in FUZZ_SCRATCH, or
/// in a folder of temporary files.
const char* canary();

/// Ends the process as a finding.
[[noreturn]] void found(const char* what);

} // namespace fuzz
