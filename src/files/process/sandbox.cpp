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

void enter_sandbox(const Permissions& permissions) {
  // What both mechanisms ask of a process that is not privileged.
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  restrict_files(permissions);
  restrict_system_calls(permissions.purpose);
}

} // namespace model_validator::process
