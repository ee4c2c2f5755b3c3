#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::process {

/// Whether the kernel confines processes that read untrusted files.
enum class SandboxMode : std::uint8_t {
  automatic, ///< as far as the kernel offers it
  require,   ///< fail unless the kernel offers everything
  off
};
const char* to_string(SandboxMode mode);
std::optional<SandboxMode> sandbox_mode_from(std::string_view name);

/// What a confined process is for.
enum class Purpose : std::uint8_t {
  read, ///< compute on what it may read: no file is written
  run   ///< run a model: compilers and runtimes load libraries and write temporary files
};

/// What a confined process may do besides computing.
struct Permissions {
  Purpose purpose = Purpose::read;
  std::vector<std::filesystem::path> readable; ///< files, and folders with all beneath them
  std::vector<std::filesystem::path> writable; ///< folders, with all beneath them
  bool devices = false; ///< graphics cards are used, which is done through `ioctl`
  /// The process may become another program, and start programs, which are confined likewise.
  bool program = false;
};

/// What a process that runs a model may do: read files, but no devices and nothing of other
/// processes, and write beneath a folder.
/// @param devices  it computes on a device other than the CPU
Permissions permissions_to_run(const std::filesystem::path& folder, bool devices);

/// What the running kernel offers. Asking changes nothing.
struct SandboxSupport {
  bool files = false;        ///< Landlock: which files may be opened
  bool system_calls = false; ///< seccomp: which system calls may be made
  bool complete() const noexcept { return files && system_calls; }
};
SandboxSupport sandbox_support();

/// What a system with this support leaves unprotected, as one sentence; empty where it is nothing.
std::string missing_protection(const SandboxSupport& support);
/// What the running system leaves unprotected; empty unless the mode is `automatic`.
std::string missing_protection(SandboxMode mode);

/// Confines the calling process for good. It must have one thread.
///
/// Landlock restricts files, including those that a link leads to. A filter of system calls
/// restricts everything else: no program is started, no other process gets a signal, no connection
/// is made. Any version of Landlock will do: what an older one does not hold, the filter refuses.
/// A call that only an attack, or a bug of ours, makes ends the process with `SIGSYS`; one
/// that a library may try, and can do without, fails with EPERM.
/// @returns what is in force
SandboxSupport enter_sandbox(const Permissions& permissions);

} // namespace model_validator::process
