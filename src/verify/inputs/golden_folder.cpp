#include "verify/inputs/golden_folder.h"

#include "files/atomic_file.h"
#include "files/json_text.h"
#include "files/new_folder.h"
#include "files/parsed_json.h"
#include "files/plain_file.h"
#include "files/whole_number.h"
#include "verify/inputs/npy.h"
#include "verify/inputs/strided_copy.h"

#include <model_validator/error.h>

#include <algorithm>
#include <ostream>
#include <vector>

namespace model_validator::verify {
namespace {

namespace fs = std::filesystem;
constexpr const char* schema = "model_validator-golden/1";
constexpr const char* description = "golden.json";
/// Parsed, JSON takes up to thirty times its length.
constexpr std::uint64_t max_description_size = std::uint64_t{16} << 20;
constexpr int max_description_depth = 100;

std::string file_name(const char* kind, std::size_t sample) {
  return std::string(kind) + "_" + std::to_string(sample) + ".npz";
}

Json dtypes_of(const NamedTensors& tensors) {
  Json dtypes = Json::object();
  for (const auto& [name, tensor] : tensors) dtypes[name] = to_string(tensor.view.dtype);
  return dtypes;
}

/// Restores the dtypes that were stored as plain bits.
void restore_dtypes(NamedTensors& tensors, const ParsedJson& dtypes) {
  for (auto& [name, tensor] : tensors) {
    const auto dtype = parse_dtype(dtypes.value(name, ""));
    if (dtype && stored_as(*dtype) == tensor.view.dtype) tensor.view.dtype = *dtype;
  }
}

/// An archive without arrays cannot be written: there is no file then.
NamedTensors read_arrays(const fs::path& file, const ParsedJson& dtypes) {
  if (dtypes.empty()) return {};
  auto tensors = read_npz(file);
  restore_dtypes(tensors, dtypes);
  return tensors;
}

bool same_bytes(const Tensor& left, const Tensor& right) {
  if (left.view.dtype != right.view.dtype || left.view.shape != right.view.shape) return false;
  std::string a, b;
  append_row_major(a, left.view);
  append_row_major(b, right.view);
  return a == b;
}

void write_files(const fs::path& folder, const GoldenFolder& golden) {
  Json json{{"schema", schema},
            {"model", golden.model},
            {"steps", golden.steps},
            {"samples", Json::array()}};
  for (std::size_t i = 0; i < golden.samples.size(); ++i) {
    const auto& sample = golden.samples[i];
    write_npz(folder / file_name("inputs", i), sample.inputs);
    write_npz(folder / file_name("outputs", i), sample.outputs);
    json["samples"].push_back(
        {{"inputs", dtypes_of(sample.inputs)}, {"outputs", dtypes_of(sample.outputs)}});
  }
  write_plain_file(folder / description,
                   [&](std::ostream& out) { out << json_text(json, 2) << "\n"; });
}

Error bad_golden(const fs::path& folder, const std::string& cause) {
  return Error(ErrorKind::bad_golden, folder.string(), cause, "make it with `--save-golden`");
}

ParsedJson description_of(const fs::path& folder) {
  const FileText text = read_regular_file(folder / description, max_description_size);
  ParsedJson json;
  if (text.why_not.empty()) json = parse_json(text.bytes, max_description_depth);
  if (!json.is_object() || !json.contains("schema") || json["schema"] != schema)
    throw bad_golden(folder, "the folder holds no stored results");
  return json;
}

/// The description is moved last: it says what the others hold.
void move_up(const fs::path& from, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(from)) files.push_back(entry.path());
  std::ranges::sort(files, [](const fs::path& a, const fs::path& b) {
    return std::pair(a.filename() == description, a) < std::pair(b.filename() == description, b);
  });
  for (const fs::path& file : files) {
    std::error_code failure;
    fs::rename(file, folder / file.filename(), failure);
    if (failure)
      throw Error(ErrorKind::cannot_write, (folder / file.filename()).string(),
                  "the file cannot be put in place: " + failure.message());
  }
}

} // namespace

bool same_tensors(const NamedTensors& left, const NamedTensors& right) {
  return std::ranges::equal(
      left, right, [](const auto& a, const auto& b) { return same_bytes(a.tensor, b.tensor); });
}

GoldenFolder read_golden(const fs::path& folder) {
  try {
    const ParsedJson json = description_of(folder);
    GoldenFolder golden;
    golden.model = json.value("model", "");
    golden.steps = std::max<std::size_t>(1, whole_number(json, "steps", std::size_t{1}));
    const ParsedJson samples = json.value("samples", ParsedJson::array());
    if (samples.empty())
      throw Error(ErrorKind::no_golden, folder.string(), "the folder holds the results of no call",
                  "make it with `--save-golden`");
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const ParsedJson& sample = samples.at(i);
      golden.samples.push_back({read_arrays(folder / file_name("inputs", i),
                                            sample.value("inputs", ParsedJson::object())),
                                read_arrays(folder / file_name("outputs", i),
                                            sample.value("outputs", ParsedJson::object()))});
    }
    if (golden.steps > std::max<std::size_t>(1, golden.samples.size()))
      throw bad_golden(folder, "the golden.json of the folder counts more steps than results");
    return golden;
  } catch (const ParsedJson::exception&) {
    throw bad_golden(folder, "the golden.json of the folder is damaged");
  }
}

void write_golden(const fs::path& folder, const GoldenFolder& golden, Lasting lasting) {
  std::error_code failure;
  const bool made = fs::create_directories(folder, failure);
  if (lasting == Lasting::for_a_run) return write_files(folder, golden);
  try {
    const NewFolder fresh(folder / "new");
    write_files(fresh.path(), golden);
    sync_folder(fresh.path());
    move_up(fresh.path(), folder);
  } catch (...) {
    if (made) fs::remove(folder, failure); // only if it is empty
    throw;
  }
}

} // namespace model_validator::verify
