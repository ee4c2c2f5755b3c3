#include "connected_graph/exported_program/unpickled.h"

#include "connected_graph/exported_program/evaluated_text.h"
#include "files/one_view.h"
#include "files/pickle.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <set>
#include <string_view>

namespace model_validator::exported_program {
namespace {

using boost::algorithm::to_lower_copy;

/// Only descriptions of tensors are pickled: their bytes lie beside the pickle.
constexpr std::uint64_t max_pickle_size = std::uint64_t{16} << 20;
constexpr std::uint64_t max_unpacked_size = std::uint64_t{64} << 20; ///< with its tensors

/// What torch writes with Python's own pickle, and with that of TorchScript, which calls nothing.
constexpr std::string_view bare_pickle = "data/constants/opaque_obj_";
constexpr std::string_view script_object = "data/constants/custom_obj_";

/// `torch.Size`; `package:Class.Nested` for what Python looks up by several names.
std::string name_of(const pickle::Document& document, const pickle::Value& value) {
  const auto parts = document.items(value);
  const std::string_view name = pickle::Document::text(document[parts[1]]);
  if (name.find('.') == name.npos) return document.name(value);
  return std::string(pickle::Document::text(document[parts[0]])) + ":" + std::string(name);
}

void read_pickle(std::string_view bytes, Unpickled& to) {
  const pickle::Document document = pickle::parse(bytes);
  std::set<std::string> names;
  to.failure = document.failure;
  for (const pickle::Value& value : document.values()) {
    if (value.kind == pickle::Kind::global) names.insert(name_of(document, value));
    // Descriptions of tensors without values, with sizes that torch evaluates.
    if (const std::string_view text = pickle::Document::text(value);
        text.find("expr_str") != text.npos)
      note_evaluated_text(text, to);
  }
  to.names.insert(to.names.end(), names.begin(), names.end());
}

/// What torch.save wrote. `torch.load` reads a TorchScript model in its place, too, and formats of
/// old, which torch.export.save writes nowhere.
void read_saved(const ZipArchive& zip, const ZipBytes& bytes, Unpickled& to) {
  require_one_view(zip, bytes);
  if (bytes.read_at(0, 4) != "PK\x03\x04") {
    to.failure = "it does not begin as a zip, so torch reads a pickle before the zip";
    return;
  }
  const ZipEntry* saved = zip.find("data.pkl");
  if (zip.find("constants.pkl") != nullptr)
    to.failure = "it holds a TorchScript model";
  else if (saved == nullptr)
    to.failure = "it holds no `data.pkl`";
  else
    read_pickle(zip.read(*saved, max_pickle_size), to);
}

void read_in_place(const ZipArchive& around, const ZipEntry& entry, Unpickled& to) {
  const auto read_at = [&](std::uint64_t offset, std::size_t count) {
    return around.read_at(entry, offset, count);
  };
  read_saved(ZipArchive(around, entry), {entry.size, read_at}, to);
}

/// torch compresses none, but whoever packs the file again may.
void read_unpacked(const ZipArchive& around, const ZipEntry& entry, Unpickled& to) {
  const std::string bytes = around.read(entry, max_unpacked_size);
  const auto read_at = [&](std::uint64_t offset, std::size_t count) {
    return offset < bytes.size() ? bytes.substr(offset, count) : std::string();
  };
  read_saved(ZipArchive(around, entry, bytes), {bytes.size(), read_at}, to);
}

/// Whether torch unpickles an entry whatever else the file says of it.
/// @param name  in lower case, as miniz compares names
bool is_always_unpickled(std::string_view name) {
  static constexpr std::string_view legacy[] = {"serialized_state_dict.", "serialized_constants.",
                                                "serialized_example_inputs."};
  const auto starts = [&](std::string_view start) { return name.starts_with(start); };
  const bool of_parts = starts("data/weights/") || starts("data/constants/");
  return starts("data/sample_inputs/") || starts(bare_pickle) ||
         (of_parts && name.ends_with(".pt")) ||
         std::any_of(std::begin(legacy), std::end(legacy), starts);
}

/// @param name  in lower case
Unpickled read(const ZipArchive& zip, const ZipEntry& entry, std::string_view name) {
  Unpickled unpickled{.entry = std::string(zip.name_inside(entry)), .names = {}, .failure = {}};
  try {
    if (name.starts_with(bare_pickle))
      read_pickle(zip.read(entry, max_pickle_size), unpickled);
    else if (entry.compressed)
      read_unpacked(zip, entry, unpickled);
    else
      read_in_place(zip, entry, unpickled);
  } catch (const Error& error) {
    unpickled.failure = error.what();
  }
  return unpickled;
}

} // namespace

std::vector<Unpickled> unpickled_when_loaded(const ProgramFile& program) {
  std::set<std::string> pickled_tensors;
  for (const auto& [tensor, stored] : program.tensors)
    if (stored.pickled) pickled_tensors.insert(to_lower_copy(stored.entry));
  std::vector<Unpickled> found;
  for (const ZipEntry& entry : program.zip.entries()) {
    const std::string name = to_lower_copy(std::string(program.zip.name_inside(entry)));
    const bool is_of_tensor = pickled_tensors.erase(name) > 0;
    if ((is_of_tensor || is_always_unpickled(name)) && entry.size > 0 &&
        !name.starts_with(script_object))
      found.push_back(read(program.zip, entry, name));
  }
  for (const std::string& name : pickled_tensors)
    found.push_back({.entry = name, .names = {}, .failure = "the file has no such entry"});
  Unpickled evaluated;
  note_evaluated(program.program, evaluated);
  if (!evaluated.names.empty() || !evaluated.failure.empty()) found.push_back(std::move(evaluated));
  return found;
}

} // namespace model_validator::exported_program
