#pragma once

#include "requests/calls.h"

#include <filesystem>
#include <functional>
#include <string>
#include <sys/types.h>

namespace model_validator {

/// The word that makes the program answer calls.
inline constexpr const char* service_argument = "--answer-calls";

/// The program's part: answers the calls that come over standard input, a socket, one after the
/// other, until the socket is closed or the process that started it has ended. Models are read in
/// confined processes of its own, which find the libraries that earlier calls needed.
int answer_calls();

/// The caller's part: a process that stays. Unlike the caller, it has one thread and has computed
/// nothing, so that it can be forked. For one thread at a time.
class ServiceProcess {
public:
  /// @param program  `model_validator`
  /// @param library_path  folders in which libraries are looked for, before those of the
  /// environment; may be empty
  /// @throws Error (`no-service`)
  ServiceProcess(const std::filesystem::path& program, const std::string& library_path);
  ~ServiceProcess();
  ServiceProcess(const ServiceProcess&) = delete;
  ServiceProcess& operator=(const ServiceProcess&) = delete;

  /// @param go_on  asked now and then; false ends the process
  /// @throws Error (`interrupted`, `no-service`); after that the object is unusable
  Reply ask(const Call& call, const std::function<bool()>& go_on);

private:
  pid_t owner_;
  pid_t process_ = -1;
  int socket_ = -1;
};

} // namespace model_validator
