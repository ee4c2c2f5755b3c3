#include "introspection/zip_weights.h"

#include "files/input_file.h"
#include "files/zip_archive.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace model_validator {
namespace {

/// Folders that hold tensors: of TorchScript, and of exported programs old and new.
bool holds_tensors(std::string_view name) {
  for (const std::string_view folder : {"data/weights/", "data/constants/", "constants/"})
    if (name.starts_with(folder)) return !name.ends_with(".json");
  constexpr std::string_view torchscript = "data/";
  const bool numbered = name.starts_with(torchscript) &&
                        name.find_first_not_of("0123456789", torchscript.size()) == name.npos;
  return numbered || name == "serialized_state_dict.pt" || name == "serialized_constants.pt";
}

/// `data/weights/weight_12` comes after `data/weights/weight_2`.
std::pair<std::string_view, unsigned long> sort_key(std::string_view name) {
  const auto last = name.find_last_not_of("0123456789");
  const std::string_view digits = last == name.npos ? name : name.substr(last + 1);
  unsigned long number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return {name.substr(0, name.size() - digits.size()), number};
}

} // namespace

std::vector<StoredWeights> list_zip_weights(const std::filesystem::path& path) {
  const InputFile file(path);
  const ZipArchive zip(file);
  std::vector<std::pair<std::string_view, const ZipEntry*>> entries;
  for (const ZipEntry& entry : zip.entries())
    if (holds_tensors(zip.name_inside(entry))) entries.emplace_back(zip.name_inside(entry), &entry);
  std::ranges::sort(
      entries, [](const auto& a, const auto& b) { return sort_key(a.first) < sort_key(b.first); });
  std::vector<StoredWeights> weights;
  for (const auto& [name, entry] : entries) {
    StoredWeights stored;
    stored.file = path;
    stored.entry = entry->name;
    stored.compressed = entry->compressed;
    stored.spans = {{0, entry->size}};
    weights.push_back(std::move(stored));
  }
  return weights;
}

} // namespace model_validator
