#include "requests/frames.h"

#include "files/process/worker_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>

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

} // namespace

bool send_frame(int socket, std::string_view text) {
  const Length length = text.size();
  return send_all(socket, reinterpret_cast<const char*>(&length), sizeof length) &&
         send_all(socket, text.data(), text.size());
}

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

} // namespace model_validator
