/// Loaded into the program by `LD_PRELOAD` (`preloaded.py`): the program starts once, with
/// LibTorch, and each call is a fork of it that goes on with `main`. Loading LibTorch takes half a
/// second of processor time, which is most of a short call.
///
/// A request comes over the socket that PRELOADED_SOCKET numbers: the descriptors of the standard
/// streams, and texts that each end with a zero byte, first the folder, then how many arguments
/// there are, these, and the environment. The answers are the number of the process, and how it
/// ended as `waitpid` has it.

#include "libraries/front_end_library.h"
#include "libraries/verify_library.h"

#include <ATen/core/function_schema.h>
#include <torch/csrc/jit/runtime/symbolic_script.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <iostream>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using Main = int (*)(int, char**, char**);
using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

constexpr std::size_t largest_request = std::size_t{1} << 18;

Main program_main = nullptr;

/// With a status that is none of the program's.
[[noreturn]] void fail(const std::string& why) {
  std::cerr << "preloaded: " << why << std::endl;
  ::_exit(127);
}

void end_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

struct Request {
  std::array<int, 3> streams{};
  std::string folder;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
};

std::vector<std::string> texts_of(const char* data, std::size_t size) {
  std::vector<std::string> texts;
  for (const char* const end = data + size; data < end; data += texts.back().size() + 1)
    texts.emplace_back(data);
  return texts;
}

/// @returns nothing once nobody asks any more
std::optional<Request> receive(int socket) {
  std::vector<char> bytes(largest_request + 1);
  Request request;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof request.streams)> control{};
  iovec part{bytes.data(), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (size <= 0 || header == nullptr) return std::nullopt;
  if (static_cast<std::size_t>(size) > largest_request) fail("a call is too long");
  std::memcpy(request.streams.data(), CMSG_DATA(header), sizeof request.streams);
  std::vector<std::string> texts = texts_of(bytes.data(), static_cast<std::size_t>(size));
  request.folder = texts.at(0);
  const auto end = texts.begin() + 2 + std::stol(texts.at(1));
  request.arguments.assign(texts.begin() + 2, end);
  request.environment.assign(end, texts.end());
  return request;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// The program, as if it had been started with all this.
[[noreturn]] void run(Request request) {
  for (std::size_t stream = 0; stream < request.streams.size(); ++stream)
    ::dup2(request.streams.at(stream), static_cast<int>(stream));
  for (const int stream : request.streams) ::close(stream);
  if (::chdir(request.folder.c_str()) != 0) fail("there is no folder " + request.folder);
  std::vector<char*> variables = pointers_to(request.environment);
  std::vector<char*> arguments = pointers_to(request.arguments);
  ::environ = variables.data();
  ::_exit(program_main(static_cast<int>(request.arguments.size()), arguments.data(), ::environ));
}

void answer(int socket, int number) { ::send(socket, &number, sizeof number, MSG_NOSIGNAL); }

int serve(int, char**, char**) {
  end_with_parent();
  const int socket = std::stoi(std::getenv("PRELOADED_SOCKET"));
  model_validator::load_for_workers("libmodel_validator_torchscript.so", {});
  model_validator::verify_library();
  // Compiles the formulas of gradients, which LibTorch asks for at the first run of a process.
  torch::jit::hasGradientInfoForSchema(c10::FunctionSchema("", "", {}, {}));
  while (std::optional<Request> request = receive(socket)) {
    const pid_t process = ::fork();
    if (process == 0) {
      ::close(socket);
      end_with_parent();
      run(std::move(*request));
    }
    for (const int stream : request->streams) ::close(stream);
    answer(socket, process);
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    answer(socket, status);
  }
  return EXIT_SUCCESS;
}

} // namespace

extern "C" [[gnu::visibility("default")]] int __libc_start_main(Main main, int count,
                                                                char** arguments, void (*start)(),
                                                                void (*end)(), void (*loader_end)(),
                                                                void* stack) {
  program_main = main;
  const auto original = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return original(serve, count, arguments, start, end, loader_end, stack);
}
