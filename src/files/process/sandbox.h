#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::process {

/// Whether processes that read files of others are confined by the kernel.
enum class SandboxMode : std::uint8_t {
  automatic, ///< as far as the kernel offers it
  require,   ///< not at all, rather than with less than everything
  off
};
const char* to_string(SandboxMode mode);
std::optional<SandboxMode> sandbox_mode_from(std::string_view name);

/// What a confined process is for.
enum class Purpose : std::uint8_t {
  read, ///< compute on what it may read: no file is written
  run   ///< run a model: compilers and runtimes load libraries and write temporary files
};

/// What a confined process may do beside computing.
struct Permissions {
  Purpose purpose = Purpose::read;
  std::vector<std::filesystem::path> readable; ///< files, and folders with all beneath them
  std::vector<std::filesystem::path> writable; ///< folders, with all beneath them
};

/// What the running kernel offers. Asking changes nothing.
struct SandboxSupport {
  bool files = false;        ///< Landlock: what may be opened
  bool system_calls = false; ///< seccomp: what may be asked for at all
  bool complete() const noexcept { return files && system_calls; }
};
SandboxSupport sandbox_support();

/// What a system of such support leaves open, as one sentence; empty where it leaves nothing.
std::string missing_protection(const SandboxSupport& support);
/// What the running system leaves open, where a sandbox is wanted as far as it goes.
std::string missing_protection(SandboxMode mode);

/// Confines the calling process for good. It must have one thread.
///
/// Files are held by Landlock, and so are those that a link leads to. Everything else is held by a
/// filter of system calls: no program is started, no other process gets a signal, nothing is
/// connected to. A call that only an attack, or a fault of ours, makes ends the process with
/// `SIGSYS`; one that a library may try, and can do without, fails with EPERM.
/// @returns what of it is in force
SandboxSupport enter_sandbox(const Permissions& permissions);

} // namespace model_validator::process
