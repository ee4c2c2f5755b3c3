#include "text/places.h"
#include "validators/checks.h"
#include "validators/op_finding.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace model_validator {
namespace {

constexpr RuleInfo rule = {"mutated-state", "GRA009",
                           "a call changes an attribute or buffer of the model", Severity::warning};

/// What `training-mode` reports: a norm that trains updates its statistics.
bool is_running_statistic(const ConnectedGraph& graph, const StateWrite& write) {
  if (write.attribute == "num_batches_tracked") return true;
  const bool of_torch = write.module != none && graph.module(write.module).torch_nn;
  return of_torch && (write.attribute == "running_mean" || write.attribute == "running_var");
}

/// All writes of one attribute, in execution order.
using Writes = std::vector<const StateWrite*>;

std::vector<Writes> by_attribute(const ConnectedGraph& graph) {
  std::vector<Writes> all;
  for (const StateWrite& write : graph.state_writes) {
    if (is_running_statistic(graph, write)) continue;
    const auto known = std::ranges::find_if(all, [&](const Writes& writes) {
      return writes[0]->module == write.module && writes[0]->attribute == write.attribute;
    });
    if (known == all.end())
      all.push_back({&write});
    else
      known->push_back(&write);
  }
  return all;
}

std::string path_of(const ConnectedGraph& graph, const StateWrite& write) {
  const std::string& module = graph.module_path(write.module);
  return module.empty() ? write.attribute : module + "." + write.attribute;
}

/// A file does not always distinguish a buffer from another tensor of a module.
std::string kind_of(const ConnectedGraph& graph, const StateWrite& write) {
  if (write.module != none)
    for (const ParameterId id : graph.module(write.module).parameters)
      if (const Parameter& parameter = graph.parameters().at(id); parameter.name == write.attribute)
        return parameter.buffer ? "tensor" : "parameter";
  return "attribute";
}

void add_locations(const ConnectedGraph& graph, const Writes& writes, Diagnostic& finding) {
  for (const StateWrite* write : writes) {
    auto location = location_of(graph, write->frame, "write");
    const auto& places = finding.locations;
    const bool listed = std::ranges::any_of(
        places, [&](const auto& place) { return place.source == location.source; });
    if (location.source.known() && !listed) finding.locations.push_back(std::move(location));
  }
}

/// What is said of a write, by what later calls do with it.
struct Words {
  const char* ending;
  const char* note;
  const char* help;
};

constexpr Words of_unread = {", which no later call reads",
                             "no result depends on what an earlier call left there",
                             "return the value, or keep it in a local variable"};
constexpr Words of_filled = {
    ", where it is missing, for later calls",
    "`model_validator verify --steps 3` shows whether results depend on which call did that",
    "compute it when the model is made, and keep it there as a buffer"};
constexpr Words of_state = {
    ", which the next call reads",
    "where the state is lost, every call starts from what the file holds",
    "take the state as an input of `forward` and return the new one alongside the result"};

const Words& words_of(const StateWrite& write) {
  if (!write.read) return of_unread;
  return write.filled ? of_filled : of_state;
}

void note_path(const ConnectedGraph& graph, const Writes& writes, Diagnostic& finding) {
  const bool always =
      std::ranges::any_of(writes, [](const StateWrite* write) { return write->region == none; });
  if (always) return;
  const auto labels = graph.region_labels(writes[0]->region);
  finding.notes.push_back("on the path " + labels.back() + " only");
}

Diagnostic finding_of_state(const ConnectedGraph& graph, const Writes& writes,
                            const Diagnostics& diagnostics) {
  const StateWrite& first = *writes[0];
  const Words& words = words_of(first);
  Diagnostic finding = finding_of_module(graph, first.module, diagnostics,
                                         (first.in_place ? "a call writes into " : "a call sets ") +
                                             kind_of(graph, first) + " `" + path_of(graph, first) +
                                             "`" + words.ending);
  if (!first.read || first.filled) finding.severity = Severity::info;
  finding.method = first.attribute; // one finding per attribute, each with its own fingerprint
  add_locations(graph, writes, finding);
  note_path(graph, writes, finding);
  finding.notes.emplace_back(words.note);
  finding.help = words.help;
  finding.fix = Fix{Applicability::unsafe, finding.help, {}};
  return finding;
}

/// Attributes and buffers of the model that a call changes: state that few exporters and runtimes
/// keep.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  for (const Writes& writes : by_attribute(graph))
    diagnostics.add(finding_of_state(graph, writes, diagnostics));
}

} // namespace

const Check checks::mutated_state(rule, run);

} // namespace model_validator
