#include "files/process/sandbox.h"

#include "files/process/landlock.h"
#include "files/process/system_call_filter.h"

#include <sys/prctl.h>

namespace model_validator::process {

const char* to_string(SandboxMode mode) {
  switch (mode) {
  case SandboxMode::automatic: return "auto";
  case SandboxMode::require: return "require";
  case SandboxMode::off: return "off";
  }
  return "unknown";
}

std::optional<SandboxMode> sandbox_mode_from(std::string_view name) {
  if (name == "auto") return SandboxMode::automatic;
  if (name == "require") return SandboxMode::require;
  if (name == "off") return SandboxMode::off;
  return std::nullopt;
}

SandboxSupport sandbox_support() { return {landlock_is_there(), system_call_filter_is_there()}; }

std::string missing_protection(const SandboxSupport& support) {
  if (support.complete()) return {};
  if (support.system_calls)
    return "this system has no Landlock: the process that reads a model may read other files";
  if (support.files)
    return "this system has no seccomp: the process that reads a model may start programs and "
           "connect to "
           "others";
  return "this system has neither Landlock nor seccomp: the process that reads a model is not "
         "confined";
}

std::string missing_protection(SandboxMode mode) {
  return mode == SandboxMode::automatic ? missing_protection(sandbox_support()) : std::string();
}

Permissions permissions_to_run(const std::filesystem::path& folder, bool devices) {
  Permissions permissions{Purpose::run, {}, {folder, "/dev/null"}, devices};
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/", failed))
    if (entry.path() != "/dev" && entry.path() != "/proc")
      permissions.readable.push_back(entry.path());
  // `/proc/self` is the confined process itself, since it is looked up there.
  for (const char* path :
       {"/dev/shm", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/proc/self",
        "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version", "/proc/filesystems",
        "/proc/devices", "/proc/driver", "/proc/sys"})
    permissions.readable.emplace_back(path);
  if (devices) {
    permissions.writable.emplace_back("/dev");
    permissions.readable.emplace_back("/proc/modules"); // the driver looks for its own
  }
  return permissions;
}

SandboxSupport enter_sandbox(const Permissions& permissions) {
  // Both mechanisms require it of an unprivileged process.
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  SandboxSupport in_force;
  in_force.files = restrict_files(permissions);
  in_force.system_calls = restrict_system_calls(permissions);
  return in_force;
}

} // namespace model_validator::process
