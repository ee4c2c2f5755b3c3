#include "verify/run/golden_folder.h"

#include "verify/run/npy.h"
#include "verify/run/strided_copy.h"

#include <model_validator/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace model_validator::verify {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* schema = "model_validator-golden/1";

std::string file_name(const char* kind, std::size_t sample) {
  return std::string(kind) + "_" + std::to_string(sample) + ".npz";
}

Json dtypes_of(const NamedTensors& tensors) {
  Json dtypes = Json::object();
  for (const auto& [name, tensor] : tensors) dtypes[name] = to_string(tensor.view.dtype);
  return dtypes;
}

/// Gives back the dtypes that were stored as plain bits.
void restore_dtypes(NamedTensors& tensors, const Json& dtypes) {
  for (auto& [name, tensor] : tensors) {
    const auto dtype = parse_dtype(dtypes.value(name, ""));
    if (dtype && stored_as(*dtype) == tensor.view.dtype) tensor.view.dtype = *dtype;
  }
}

/// An archive without arrays cannot be written: there is no file then.
NamedTensors read_arrays(const fs::path& file, const Json& dtypes) {
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

void write_whole(const fs::path& file, const std::string& text) {
  const auto temporary = file.string() + ".part";
  std::ofstream(temporary, std::ios::binary) << text;
  std::error_code failure;
  fs::rename(temporary, file, failure);
  if (failure) throw Error("cannot-write", file.string(), "the file cannot be written");
}

} // namespace

bool same_tensors(const NamedTensors& left, const NamedTensors& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const auto& a, const auto& b) { return same_bytes(a.tensor, b.tensor); });
}

NamedTensors GoldenFolder::outputs_for(const NamedTensors& inputs, std::size_t call) const {
  for (std::size_t i = call; i < samples.size(); i += steps)
    if (same_tensors(samples[i].inputs, inputs)) return samples[i].outputs;
  throw Error("no-golden", "", "no stored result belongs to these inputs",
              "leave the inputs out: the stored ones are used");
}

GoldenFolder read_golden(const fs::path& folder) {
  std::ifstream stream(folder / "golden.json");
  const auto json = Json::parse(stream, nullptr, false);
  if (!json.is_object() || json.value("schema", "") != schema)
    throw Error("bad-golden", folder.string(), "the folder holds no stored results",
                "make it with `--save-golden`");
  GoldenFolder golden;
  golden.model = json.value("model", "");
  golden.steps = std::max<std::size_t>(1, json.value("steps", std::size_t{1}));
  const auto& samples = json.value("samples", Json::array());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& sample = samples[i];
    golden.samples.push_back(
        {read_arrays(folder / file_name("inputs", i), sample.value("inputs", Json::object())),
         read_arrays(folder / file_name("outputs", i), sample.value("outputs", Json::object()))});
  }
  return golden;
}

void write_golden(const fs::path& folder, const GoldenFolder& golden) {
  std::error_code failure;
  fs::create_directories(folder, failure);
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
  write_whole(folder / "golden.json", json.dump(2) + "\n");
}

} // namespace model_validator::verify
