#include "verify/command/results.h"

#include "files/parsed_json.h"
#include "files/regular_file.h"
#include "files/whole_number.h"
#include "verify/inputs/golden_folder.h"

#include <model_validator/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace model_validator::verify {
namespace {

constexpr const char* notes_file = "notes.json";
constexpr std::uint64_t max_notes_size = std::uint64_t{16} << 20;
constexpr int max_notes_depth = 10;

nlohmann::json to_json(const Incident& incident) {
  return {{"kind", to_string(incident.kind)},
          {"message", incident.message},
          {"hint", incident.hint},
          {"failure", incident.failure}};
}

/// @throws Error for a kind that a run does not report of itself
Incident read_incident(const nlohmann::json& json) {
  for (const IncidentKind kind : {IncidentKind::inputs_changed, IncidentKind::not_deterministic})
    if (json.at("kind") == to_string(kind))
      return {kind, json.at("message"), json.at("hint"), json.at("failure")};
  throw Error(ErrorKind::run_failed, "", "the run ended without a result");
}

} // namespace

void write_results(const std::filesystem::path& folder, const RunResults& results) {
  GoldenFolder golden;
  for (const auto& outputs : results.samples) golden.samples.push_back({{}, outputs});
  write_golden(folder, golden, Lasting::for_a_run);
  auto incidents = nlohmann::json::array();
  for (const auto& incident : results.incidents) incidents.push_back(to_json(incident));
  const nlohmann::json notes{
      {"incidents", incidents}, {"notes", results.notes}, {"steps", results.steps}};
  std::ofstream stream(folder / notes_file);
  stream << notes.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  stream.close();
  if (!stream)
    throw Error(ErrorKind::cannot_write, folder.string(),
                "the results do not fit into the temporary folder",
                "set TMPDIR to a folder with more room");
}

RunResults read_results(const std::filesystem::path& folder) {
  RunResults results;
  for (auto& sample : read_golden(folder).samples)
    results.samples.push_back(std::move(sample.outputs));
  const FileText text = read_regular_file(folder / notes_file, max_notes_size);
  try {
    const auto notes = parse_json(text.bytes, max_notes_depth);
    for (const auto& incident : notes.at("incidents"))
      results.incidents.push_back(read_incident(incident));
    results.steps = whole_number<std::size_t>(notes.at("steps"));
    results.notes = notes.at("notes").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::run_failed, "", "the run ended without a result");
  }
  return results;
}

bool repeats(const std::vector<NamedTensors>& results, std::size_t first, std::size_t count) {
  for (std::size_t i = first + 1; i < first + count; ++i)
    if (!same_tensors(results[first], results[i])) return false;
  return true;
}

Value as_value(const NamedTensors& outputs) {
  Sequence sequence;
  for (const auto& [name, tensor] : outputs) {
    sequence.names.push_back(name);
    sequence.items.push_back({tensor});
  }
  return {std::move(sequence)};
}

bool come_from_dict(const NamedTensors& outputs) {
  return !outputs.empty() &&
         std::none_of(outputs.begin(), outputs.end(), [](const NamedTensor& output) {
           const auto& name = output.name;
           return name.empty() || name == "output" || (name[0] >= '0' && name[0] <= '9');
         });
}

Value as_dict(const NamedTensors& outputs) {
  Dict dict;
  for (const auto& [name, tensor] : outputs) dict.items.emplace_back(name, Value{tensor});
  return {std::move(dict)};
}

} // namespace model_validator::verify
