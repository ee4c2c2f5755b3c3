#include "connected_graph/exported_program/program_file.h"

#include "connected_graph/exported_program/arguments.h"
#include "files/one_view.h"
#include "files/regular_file.h"
#include "files/whole_number.h"

#include <model_validator/error.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace model_validator::exported_program {
namespace {

constexpr std::uint64_t max_json_size = std::uint64_t{1} << 29;
/// Parsed JSON takes up to thirty times its length. Real files are compressed by at most a factor
/// of 30.
constexpr std::uint64_t free_json = std::uint64_t{4} << 20;
constexpr std::uint64_t max_packing_ratio = 60;
constexpr int known_major = 8;
/// Graphs within graphs take eight levels each, and 64 of those are read. (The parser's own
/// callback also gets the depth, but with it the parser scans every list at the end of each object,
/// which takes time quadratic in the list.)
constexpr int max_json_depth = 1000;

/// The entry of the one program in a file, inside the top folder. It is that which every reader of
/// the zip finds: torch reads it with two others, and the last of two entries, or of two
/// directories, is the first to another.
/// @throws Error (`damaged-zip`, `several-models`, `damaged-exported-program`)
std::string program_entry(const InputFile& file, const ZipArchive& zip) {
  require_one_view(zip, bytes_of(file));
  std::vector<std::string> programs;
  for (const ZipEntry& entry : zip.entries()) {
    const std::string name(zip.name_inside(entry));
    // torch loads whatever is there as a program: the name of each is cut off where `.json` begins.
    const bool is_new = name.starts_with("models/") && name != "models/";
    if (is_new && zip.top_folder().empty()) contradict(zip, "the folder around everything in it");
    if (is_new && name.rfind('/') > std::string_view("models").size())
      contradict(zip, "the name of its program"); // which names its weights, too
    if (is_new || name == "serialized_exported_program.json") programs.push_back(name);
  }
  if (programs.size() > 1)
    throw Error(ErrorKind::several_models, file.path().string(),
                "the file holds several exported programs",
                "save each to its own file with `torch.export.save`");
  if (programs.empty())
    throw Error(ErrorKind::damaged_exported_program, file.path().string(),
                "the file holds no exported program",
                "save it again: `torch.export.save(program, path)`");
  return programs.front();
}

} // namespace

ProgramFile::ProgramFile(const std::filesystem::path& path) : file(path), zip(file) {
  const std::string name = program_entry(file, zip);
  program = json_of(*zip.find(name));
  require_known_version();
  const auto slash = name.rfind('/');
  const std::string stem =
      name.substr(slash + 1, name.size() - slash - 1 - std::string(".json").size());
  for (const std::string kind : {"weights", "constants"}) {
    const std::string folder = "data/" + kind + "/";
    const std::string config = folder + stem + "_" + kind + "_config.json";
    // A file of before torch 2.8, which torch reads instead of the list and what it names.
    if (zip.find(folder + stem + ".pt") != nullptr && zip.find(config) != nullptr)
      contradict(zip, "its " + kind);
    read_directory(config, folder);
  }
}

Json ProgramFile::json_of(const ZipEntry& entry) const {
  const std::uint64_t limit =
      std::min(max_json_size, std::max(free_json, max_packing_ratio * file.size()));
  const std::string text = zip.read(entry, limit);
  if (is_nested_deeper(text, max_json_depth))
    throw Error(ErrorKind::damaged_exported_program, file.path().string(),
                "`" + std::string(zip.name_inside(entry)) + "` is nested more than " +
                    std::to_string(max_json_depth) + " levels deep",
                "export the model again");
  return Json::parse(text);
}

void ProgramFile::require_known_version() const {
  const int major = whole_number<int>(program.at("schema_version").at("major"));
  if (major == known_major) return;
  const std::string version =
      std::to_string(major) + "." +
      std::to_string(whole_number<int>(program["schema_version"].at("minor")));
  const std::string hint = major < known_major ? "load it with the torch that saved it, and export "
                                                 "the model again with torch 2.6 or later"
                                               : "use a newer model_validator";
  throw Error(ErrorKind::unsupported_version, file.path().string(),
              "the exported program has schema version " + version + ", but only version 8 is read",
              hint);
}

void ProgramFile::read_directory(const std::string& config, const std::string& folder) {
  const ZipEntry* entry = zip.find(config);
  if (entry == nullptr) return;
  Json directory = json_of(*entry);
  for (auto& [name, tensor] : directory.at("config").items()) {
    StoredTensor stored;
    const std::string place = tensor.at("path_name").get<std::string>();
    // torch joins it to the folder as Python does, and looks for a name in two lists.
    if (place.starts_with('/') || tensors.contains(name))
      contradict(zip, "where `" + name + "` is");
    stored.entry = folder + place;
    stored.pickled = tensor.value("use_pickle", false);
    if (const auto meta = tensor.find("tensor_meta"); meta != tensor.end())
      stored.meta = std::move(*meta);
    if (stored.meta.is_object() && stored.meta.contains("storage_offset"))
      stored.offset = whole_number(stored.meta["storage_offset"], "as_int", std::uint64_t{0});
    tensor.erase("path_name");
    stored.rest = std::move(tensor);
    tensors.emplace(name, std::move(stored));
  }
}

namespace {

constexpr std::uint64_t max_bytes = 1 << 20; ///< of the entry of a tensor whose numbers are read

template <class T>
std::vector<double> numbers_in(const std::string& bytes, std::uint64_t offset,
                               std::uint64_t count) {
  if (offset > bytes.size() / sizeof(T) || count > bytes.size() / sizeof(T) - offset) return {};
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data() + offset * sizeof(T), count * sizeof(T));
  return {values.begin(), values.end()};
}

std::vector<double> numbers_of_dtype(const std::string& dtype, const std::string& bytes,
                                     std::uint64_t offset, std::uint64_t count) {
  if (dtype == "float32") return numbers_in<float>(bytes, offset, count);
  if (dtype == "float64") return numbers_in<double>(bytes, offset, count);
  if (dtype == "int64") return numbers_in<std::int64_t>(bytes, offset, count);
  if (dtype == "int32") return numbers_in<std::int32_t>(bytes, offset, count);
  if (dtype == "int8") return numbers_in<std::int8_t>(bytes, offset, count);
  if (dtype == "uint8") return numbers_in<std::uint8_t>(bytes, offset, count);
  return {};
}

/// The number of elements; nothing where they do not follow each other.
std::optional<std::uint64_t> dense_count(const Json& meta) {
  std::uint64_t count = 1;
  const Json sizes = meta.value("sizes", Json::array());
  const Json strides = meta.value("strides", Json::array());
  if (sizes.size() != strides.size()) return std::nullopt;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const auto size = whole_number(sizes[i], "as_int", std::uint64_t{0});
    if (size != 1 && whole_number(strides[i], "as_int", std::uint64_t{0}) != count)
      return std::nullopt;
    if (size > max_bytes || (count *= size) > max_bytes) return std::nullopt;
  }
  return count;
}

} // namespace

std::optional<std::vector<double>> ProgramFile::numbers_of(const std::string& tensor,
                                                           std::uint64_t& bytes_left) const {
  const auto found = tensors.find(tensor);
  if (found == tensors.end() || found->second.pickled || !found->second.meta.is_object())
    return std::nullopt;
  const StoredTensor& stored = found->second;
  const ZipEntry* entry = zip.find(stored.entry);
  const auto count = dense_count(stored.meta);
  if (entry == nullptr || entry->size > max_bytes || !count) return std::nullopt;
  const std::uint64_t cost = std::max(entry->size, *count * sizeof(double));
  if (cost > bytes_left) return std::nullopt;
  bytes_left -= cost;
  std::vector<double> numbers =
      numbers_of_dtype(dtype_name(whole_number(stored.meta, "dtype", 0)),
                       zip.read(*entry, max_bytes), stored.offset, *count);
  return numbers.size() == *count ? std::optional(std::move(numbers)) : std::nullopt;
}

} // namespace model_validator::exported_program
