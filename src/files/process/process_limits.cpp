#include "files/process/process_limits.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sys/resource.h>
#include <unistd.h>

namespace model_validator::process {
namespace {

/// Bytes of address space that the process has mapped, from the first number of /proc/self/statm.
std::uint64_t mapped_now() {
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(
      std::fopen("/proc/self/statm", "re"), &std::fclose);
  unsigned long long pages = 0;
  if (!file || std::fscanf(file.get(), "%llu", &pages) != 1) return 0; // NOLINT
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit(__rlimit_resource resource, rlim_t value) {
  rlimit old{};
  ::getrlimit(resource, &old);
  if (old.rlim_max != RLIM_INFINITY && value > old.rlim_max) value = old.rlim_max;
  const rlimit both{value, value};
  ::setrlimit(resource, &both);
}

/// The signal at the lower limit shows what ended the process; a process that ignores it is killed
/// at the upper one.
void limit_processor_time(std::chrono::seconds seconds) {
  rlimit old{};
  ::getrlimit(RLIMIT_CPU, &old);
  const auto least = static_cast<rlim_t>(seconds.count());
  const rlimit times{std::min(least, old.rlim_max), std::min(least + 2, old.rlim_max)};
  ::setrlimit(RLIMIT_CPU, &times);
}

} // namespace

void enter_limits(const Limits& limits) {
  limit(RLIMIT_CORE, 0);
  if (limits.memory) limit(RLIMIT_AS, mapped_now() + *limits.memory);
  if (limits.processor_time) limit_processor_time(*limits.processor_time);
}

} // namespace model_validator::process
