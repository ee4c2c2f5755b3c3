#include "files/process/model_reading.h"

#include "files/input_file.h"
#include "files/real_path.h"
#include "text/process_words.h"

#include <model_validator/error.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <sys/stat.h>

namespace model_validator::process {
namespace {

constexpr std::uint64_t max_model_size = std::uint64_t{64} << 20;
constexpr std::size_t max_name_length = 4096;
constexpr std::size_t max_names = 10'000;

/// An entry of `external_data` as protobuf writes it: a key, `location`, and the tag of its value.
constexpr std::string_view start_of_entry = "\x0a\x08location\x12";

/// A length of one or two bytes, as protobuf writes it, and the text that follows.
std::string_view text_at(std::string_view bytes) {
  if (bytes.size() < 2) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const bool is_long = byte(0) >= 128;
  const std::size_t length = is_long ? (byte(0) & 127U) | std::size_t{byte(1)} << 7 : byte(0);
  return length > max_name_length ? std::string_view() : bytes.substr(is_long ? 2 : 1, length);
}

namespace fs = std::filesystem;

/// Nothing is done where it cannot be read: its reader says why.
template <class Use> void with_file(const fs::path& path, const Use& use) {
  try {
    use(InputFile(path));
  } catch (const Error&) {
    return;
  }
}

/// @param count  of the bytes, in which an entry may begin
void add_names(std::string_view bytes, std::size_t count, std::set<std::string>& names) {
  for (std::size_t at = bytes.find(start_of_entry); at < count && names.size() < max_names;
       at = bytes.find(start_of_entry, at + 1))
    names.emplace(text_at(bytes.substr(at + start_of_entry.size())));
}

/// The files next to a model that hold its weights: those of an OpenVINO model have its name, those
/// of an ONNX model are named in it. They are found by their spelling: this process parses no file.
/// Of a model that is larger than 64 MiB, whose weights lie in itself, none are found, and no more
/// than ten thousand of any.
std::set<std::string> external_names(const fs::path& model) {
  constexpr std::size_t part = 1 << 18, longest_entry = start_of_entry.size() + 2 + max_name_length;
  std::set<std::string> names;
  if (model.extension() == ".xml") names.insert(model.stem().string() + ".bin");
  with_file(model, [&](const InputFile& file) {
    if (file.size() > max_model_size) return;
    std::string bytes(part + longest_entry, '\0');
    for (std::uint64_t at = 0; at < file.size(); at += part) {
      const std::size_t count = file.read_at(at, bytes.data(), bytes.size());
      add_names(std::string_view(bytes).substr(0, count), part, names);
    }
  });
  return names;
}

using Ending = WorkerResult::Ending;

/// Reading TorchScript gets a stack of this size; only the part in use takes memory.
constexpr std::uint64_t stack_addresses = std::uint64_t{1} << 30;
/// The speed of hashing weights on a slow core.
constexpr std::uint64_t hashed_bytes_a_second = std::uint64_t{256} << 20;

/// Files that describe the machine, which libraries read.
constexpr std::array<const char*, 5> machine{"/dev/urandom", "/proc/cpuinfo", "/proc/meminfo",
                                             "/sys/devices/system/cpu", "/sys/devices/system/node"};

/// A zip holds its weights itself. Only two bytes are read, and nothing is parsed.
bool is_zip(const fs::path& path) {
  bool begins_as_one = false;
  with_file(path, [&](const InputFile& file) { begins_as_one = file.read_at(0, 2) == "PK"; });
  return begins_as_one;
}

/// What the file has on the disk: a hole in it raises no limit. Some file systems do not say.
std::uint64_t size_of(const fs::path& file) {
  constexpr std::uint64_t block_bytes = 512;
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const auto stored = static_cast<std::uint64_t>(status.st_blocks) * block_bytes;
  return stored == 0 ? size : std::min(size, stored);
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// The bytes of the files that a model names, each counted once, as far as they lie where its
/// reader looks for them. Anything else in its folder, which may be a repository's, raises no
/// limit.
std::uint64_t size_of_external(const fs::path& model, const fs::path& store) {
  std::set<fs::path> files;
  for (const std::string& name : external_names(model)) {
    const fs::path file = folder_of(model) / name;
    if (lies_beneath(file, folder_of(model)) || lies_beneath(file, store))
      files.insert(real_path(file));
  }
  std::uint64_t bytes = 0;
  for (const fs::path& file : files) bytes += size_of(file);
  return bytes;
}

/// The file, and where weights next to it may lie. @returns the bytes that belong to it
std::uint64_t add_model(const fs::path& model, std::vector<fs::path>& readable) {
  readable.push_back(model);
  std::error_code failed;
  if (fs::is_directory(model, failed) || is_zip(model)) return size_of(model);
  const fs::path store = real_path(model).parent_path();
  readable.push_back(folder_of(model));
  readable.push_back(store);
  return size_of(model) + size_of_external(model, store);
}

std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

} // namespace

Confinement confinement_for_reading(const std::vector<fs::path>& models,
                                    const std::vector<fs::path>& beside,
                                    const ReadingPolicy& policy) {
  Confinement confinement{policy.sandbox, {Purpose::read, beside, {}}, {}};
  auto& readable = confinement.permissions.readable;
  readable.insert(readable.end(), machine.begin(), machine.end());
  std::uint64_t bytes = 0;
  for (const fs::path& model : models) bytes += add_model(model, readable);
  confinement.limits.memory = policy.max_memory + 2 * bytes + stack_addresses;
  confinement.limits.processor_time =
      policy.max_processor_time + std::chrono::seconds(bytes / hashed_bytes_a_second);
  confinement.limits.time = policy.timeout;
  return confinement;
}

Error error_of(const WorkerResult& result, const std::string& file, const ReadingPolicy& policy) {
  constexpr const char* fault = "this is a fault in model_validator or LibTorch: please report it";
  switch (result.ending) {
  case Ending::failed: return *result.error;
  case Ending::refused:
    return {ErrorKind::forbidden_call, file,
            "reading the model asked the system for " + result.bytes +
                ", which only an attack or a fault does",
            "do not trust this file; if it is your own, please report it"};
  case Ending::out_of_memory:
    return {ErrorKind::out_of_memory, file,
            "the model needs more than " + megabytes(policy.max_memory) + " of memory to be read",
            "allow more with `--max-memory`"};
  case Ending::out_of_processor_time:
    return {ErrorKind::timed_out, file,
            "reading the model took longer than " + seconds_in_words(policy.max_processor_time) +
                " of processor time",
            "allow more with `--max-cpu`"};
  case Ending::timed_out:
    return {ErrorKind::timed_out, file,
            "linting the model took longer than " +
                seconds_in_words(policy.timeout.value_or(std::chrono::milliseconds(0))),
            "give it more time with `--timeout`"};
  case Ending::needs_library:
    return {ErrorKind::crashed, file,
            "the process that read the model asked for libraries without end", fault};
  case Ending::stopped:
    return {ErrorKind::interrupted, file, "reading the model was interrupted", {}};
  default: break;
  }
  return {ErrorKind::crashed, file, "the process that read the model " + result.bytes, fault};
}

Error unreadable_result(const std::string& file) {
  return {ErrorKind::crashed, file,
          "the process that read the model sent no result that can be read",
          "do not trust this file; if it is your own, please report it"};
}

} // namespace model_validator::process
