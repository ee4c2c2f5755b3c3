#include "lint/trace_notes.h"

#include <string>
#include <unordered_map>

namespace model_validator {
namespace {

std::string rounds_of(const RegionOutcome& loop) {
  if (loop.reached == 0) return "";
  std::string rounds = std::to_string(loop.fewest);
  if (loop.most != loop.fewest) rounds += " to " + std::to_string(loop.most);
  return "with these inputs it runs " + rounds + (rounds == "1" ? " iteration" : " iterations");
}

std::string arm_of(const RegionOutcome& then_arm) {
  if (then_arm.reached == 0) return "";
  if (then_arm.runs == then_arm.reached) return "with these inputs the condition holds";
  if (then_arm.runs == 0) return "with these inputs the condition does not hold";
  return "with these inputs the condition holds " + std::to_string(then_arm.runs) + " of " +
         std::to_string(then_arm.reached) + " times";
}

/// What became of the `if` or loop that an op is; empty for any other op.
std::string outcome_of(const TracedGraph& traced, OpId id) {
  const auto& regions = traced.graph.regions();
  for (RegionId region = 0; region < regions.size(); ++region) {
    const auto& outcome = traced.trace.outcomes.at(region);
    if (regions[region].op != id || !outcome) continue;
    if (regions[region].kind == Region::Kind::loop_body) return rounds_of(*outcome);
    if (regions[region].kind == Region::Kind::then_arm) return arm_of(*outcome);
  }
  return "";
}

std::string note_on(const TracedGraph& traced, OpId id) {
  if (traced.trace.runs.at(id) == 0u) return "with these inputs it does not run";
  return traced.graph.op(id).kind == OpKind::control_flow ? outcome_of(traced, id) : "";
}

} // namespace

void add_trace_notes(const TracedGraph& traced, std::vector<Diagnostic>& findings) {
  std::unordered_map<std::string, OpId> ids;
  for (OpId id = 0; id < traced.graph.op_count(); ++id) ids.emplace(traced.graph.op(id).name, id);
  for (Diagnostic& finding : findings) {
    const auto id = finding.op ? ids.find(finding.op->name) : ids.end();
    if (id == ids.end()) continue;
    if (std::string note = note_on(traced, id->second); !note.empty())
      finding.notes.push_back(std::move(note));
  }
}

} // namespace model_validator
