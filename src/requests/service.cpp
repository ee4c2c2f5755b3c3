#include "requests/service.h"

#include "files/process/byte_archive.h"
#include "files/process/worker_process.h"

#include <model_validator/error.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace model_validator {
namespace {

using Length = std::uint64_t;

bool send_all(int socket, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(socket, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

/// Waits until there is something to read.
bool wait_for(int socket, const std::function<bool()>& go_on) {
  pollfd end{socket, POLLIN, 0};
  for (;;) {
    const int ready = ::poll(&end, 1, static_cast<int>(process::patience.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (!go_on()) return false;
  }
}

bool receive_all(int socket, char* data, std::size_t size, const std::function<bool()>& go_on) {
  while (size > 0) {
    if (!wait_for(socket, go_on)) return false;
    const ssize_t got = ::recv(socket, data, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Sends a text of any length over a socket: its length, then itself.
/// @returns false where nobody reads any more
bool send_frame(int socket, std::string_view text) {
  const Length length = text.size();
  return send_all(socket, reinterpret_cast<const char*>(&length), sizeof length) &&
         send_all(socket, text.data(), text.size());
}

/// @param go_on  asked about ten times a second; false ends the wait
/// @returns nothing at the end of the stream, or if the wait was ended
std::optional<std::string> receive_frame(int socket, const std::function<bool()>& go_on) {
  Length length = 0;
  if (!receive_all(socket, reinterpret_cast<char*>(&length), sizeof length, go_on))
    return std::nullopt;
  std::string text;
  std::array<char, 65536> part{};
  while (text.size() < length) {
    const std::size_t size = std::min<std::size_t>(part.size(), length - text.size());
    if (!receive_all(socket, part.data(), size, go_on)) return std::nullopt;
    text.append(part.data(), size);
  }
  return text;
}

/// A call, and the folder that the caller is in.
struct SentCall {
  std::string folder;
  Call call;
};
template <class Archive> void describe(Archive& archive, SentCall& sent) {
  archive(sent.folder, sent.call);
}

/// The texts of a reply, which a map does not archive.
struct SentReply {
  int status = 0;
  std::vector<std::string> names;
  std::vector<std::string> texts;
};
template <class Archive> void describe(Archive& archive, SentReply& sent) {
  archive(sent.status, sent.names, sent.texts);
}

template <class T> std::string to_bytes(T value) {
  process::ByteWriter writer;
  writer(value);
  return writer.bytes();
}

template <class T> T from_bytes(std::string_view bytes) {
  T value;
  process::ByteReader reader(bytes);
  reader(value);
  return value;
}

std::string to_bytes(Reply reply) {
  SentReply sent{reply.status, {}, {}};
  for (auto& [name, text] : reply.texts) {
    sent.names.push_back(name);
    sent.texts.push_back(std::move(text));
  }
  return to_bytes<SentReply>(std::move(sent));
}

Reply reply_from(std::string_view bytes) {
  auto sent = from_bytes<SentReply>(bytes);
  Reply reply{sent.status, {}};
  for (std::size_t i = 0; i < sent.names.size() && i < sent.texts.size(); ++i)
    reply.texts[sent.names[i]] = std::move(sent.texts[i]);
  return reply;
}

Reply answer_sent(std::string_view bytes) {
  SentCall sent;
  try {
    sent = from_bytes<SentCall>(bytes);
  } catch (const std::exception& damaged) {
    return failure(ErrorKind::usage, "", std::string("this is not a call: ") + damaged.what(), {});
  }
  if (!sent.folder.empty() && ::chdir(sent.folder.c_str()) != 0)
    return failure(ErrorKind::not_found, sent.folder,
                   std::string("the current folder cannot be entered: ") + std::strerror(errno),
                   {});
  return answer(sent.call, Reader::confined);
}

std::string current_folder() {
  std::error_code failed;
  const auto folder = std::filesystem::current_path(failed);
  return failed ? std::string() : folder.string();
}

/// The environment, with folders put before `LD_LIBRARY_PATH`.
std::vector<std::string> environment_with(const std::string& library_path) {
  constexpr std::string_view name = "LD_LIBRARY_PATH=";
  std::vector<std::string> variables;
  std::string path = library_path;
  for (char** variable = ::environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with(name))
      variables.emplace_back(text);
    else if (const auto own = text.substr(name.size()); !own.empty())
      path += (path.empty() ? "" : ":") + std::string(own);
  }
  if (!path.empty()) variables.push_back(std::string(name) + path);
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A session of its own, so that Ctrl-C in the caller's terminal reaches only the caller; default
/// signal handling.
class SpawnSettings {
public:
  explicit SpawnSettings(int socket) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, socket, STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    sigset_t none;
    ::sigemptyset(&none);
    sigset_t all;
    ::sigfillset(&all);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawn_file_actions_t* actions() const noexcept { return &actions_; }
  const posix_spawnattr_t* attributes() const noexcept { return &attributes_; }

private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

[[noreturn]] void no_service(const std::string& path, const std::string& cause) {
  throw Error(ErrorKind::no_service, path, cause,
              "models that you trust can be read in this process, without it");
}

} // namespace

int answer_calls() {
  // After the caller has ended, a process forked from it may still hold the other end of the
  // socket.
  const pid_t caller = ::getppid();
  const auto go_on = [caller] { return ::getppid() == caller; };
  while (const auto bytes = receive_frame(STDIN_FILENO, go_on))
    if (!send_frame(STDIN_FILENO, to_bytes(answer_sent(*bytes)))) break;
  return 0;
}

ServiceProcess::ServiceProcess(const std::filesystem::path& program,
                               const std::string& library_path)
    : owner_(::getpid()) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    no_service("", std::string("no socket can be created: ") + std::strerror(errno));
  std::vector<std::string> arguments{program.string(), service_argument};
  std::vector<std::string> variables = environment_with(library_path);
  const SpawnSettings settings(ends[1]);
  const int failed =
      ::posix_spawn(&process_, program.c_str(), settings.actions(), settings.attributes(),
                    pointers_to(arguments).data(), pointers_to(variables).data());
  ::close(ends[1]);
  socket_ = ends[0];
  if (failed == 0) return;
  ::close(socket_);
  no_service(program.string(), std::string("the program that reads models cannot be started: ") +
                                   std::strerror(failed));
}

ServiceProcess::~ServiceProcess() {
  ::close(socket_);
  if (owner_ != ::getpid()) return; // forked: the process belongs to another
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Reply ServiceProcess::ask(const Call& call, const std::function<bool()>& go_on) {
  bool stopped = false;
  const auto watched = [&] { return !(stopped = stopped || !go_on()); };
  if (send_frame(socket_, to_bytes<SentCall>({current_folder(), call})))
    if (const auto bytes = receive_frame(socket_, watched)) return reply_from(*bytes);
  if (stopped)
    throw Error(ErrorKind::interrupted, call.models.front().name,
                "reading the model was interrupted");
  no_service("", "the process that reads models has ended");
}

} // namespace model_validator
