#include "files/process/external_names.h"

#include "files/regular_file.h"

#include <string_view>

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

} // namespace

std::set<std::string> external_names(const std::filesystem::path& model) {
  const std::string bytes = read_regular_file(model, max_model_size).bytes;
  const std::string_view all = bytes;
  std::set<std::string> names;
  for (std::size_t at = all.find(start_of_entry);
       at != std::string_view::npos && names.size() < max_names;
       at = all.find(start_of_entry, at + 1))
    names.emplace(text_at(all.substr(at + start_of_entry.size())));
  return names;
}

} // namespace model_validator::process
