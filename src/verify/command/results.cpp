#include "verify/command/results.h"

#include "files/process/value_file.h"
#include "verify/inputs/golden_folder.h"

#include <algorithm>

namespace model_validator::verify {
namespace {

constexpr const char* notes_file = "notes";
constexpr std::uint64_t max_notes_size = std::uint64_t{16} << 20;

/// What a run reports of itself.
bool is_of_a_run(const Incident& incident) {
  return incident.kind == IncidentKind::inputs_changed ||
         incident.kind == IncidentKind::not_deterministic;
}

} // namespace

/// Without the samples, which are tensors.
template <class Archive> void describe(Archive& archive, RunResults& results) {
  archive(results.steps, results.incidents, results.notes, results.failed, results.remembers,
          results.forks);
}

void write_results(const std::filesystem::path& folder, const RunResults& results) {
  GoldenFolder golden;
  for (const auto& outputs : results.samples) golden.samples.push_back({{}, outputs});
  if (!golden.samples.empty()) golden.samples.front().inputs = results.kept;
  write_golden(folder, golden, Lasting::for_a_run);
  process::write_value(folder / notes_file, results);
}

RunResults read_results(const std::filesystem::path& folder) {
  const std::string what = "the run";
  auto results = process::read_value<RunResults>(folder / notes_file, max_notes_size, what);
  if (!std::ranges::all_of(results.incidents, is_of_a_run))
    throw Error(ErrorKind::run_failed, "", what + " ended without a result");
  for (auto& sample : read_golden(folder).samples) {
    results.samples.push_back(std::move(sample.outputs));
    if (results.samples.size() == 1) results.kept = std::move(sample.inputs);
  }
  return results;
}

bool changes_between_runs(const RunResults& results) {
  return std::ranges::any_of(results.incidents, [](const Incident& incident) {
    return incident.kind == IncidentKind::not_deterministic;
  });
}

bool repeats(const std::vector<NamedTensors>& results, std::size_t first, std::size_t count) {
  for (std::size_t i = first + 1; i < first + count; ++i)
    if (!same_tensors(results[first], results[i])) return false;
  return true;
}

Value as_value(const NamedTensors& outputs, bool by_name) {
  Dict dict;
  Sequence sequence;
  for (const auto& [name, tensor] : outputs)
    if (by_name) {
      dict.items.emplace_back(name, Value{tensor});
    } else {
      sequence.names.push_back(name);
      sequence.items.push_back({tensor});
    }
  return by_name ? Value{std::move(dict)} : Value{std::move(sequence)};
}

bool come_from_dict(const NamedTensors& outputs) {
  return !outputs.empty() && std::ranges::none_of(outputs, [](const NamedTensor& output) {
    const auto& name = output.name;
    return name.empty() || name == "output" || (name[0] >= '0' && name[0] <= '9');
  });
}

bool have_same_names(const NamedTensors& outputs, const NamedTensors& others) {
  const auto sorted = [](const NamedTensors& all) {
    std::vector<std::string> names;
    for (const NamedTensor& output : all) names.push_back(output.name);
    std::ranges::sort(names);
    return names;
  };
  return come_from_dict(outputs) && come_from_dict(others) && sorted(outputs) == sorted(others);
}

} // namespace model_validator::verify
