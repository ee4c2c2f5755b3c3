#include "validators/suggestions/source_calls.h"

#include "connected_graph/torch_sources.h"
#include "text/places.h"
#include "validators/suggestions/module_reuse.h"
#include "validators/suggestions/op_family.h"

#include <algorithm>

namespace model_validator {
namespace {

constexpr const char* in_a_loop = "it is called in a loop, as often as that runs";

} // namespace

SourceCalls::SourceCalls(const ConnectedGraph& graph) : graph_(graph) {
  for (const Frame& frame : graph.frames())
    if (frame.location.known() && !is_inside_torch(frame.location.file))
      files_.try_emplace(frame.module, frame.location.file);
  for (ModuleId id = 0; id < graph.modules().size(); ++id)
    for (const CallSite& site : graph.module(id).call_sites)
      for (RegionId region = site.region; region != none; region = graph.regions()[region].parent)
        if (!around_calls_[id].insert(region).second) break;
}

SourceCalls::Line SourceCalls::line_of(OpId id) const {
  const Op& op = graph_.op(id);
  const SourceLocation& place = graph_.location(graph_.user_frame(op.frame));
  return {place.file, place.line, place.column, op_family(op.type), op.parent};
}

/// Whether a loop of the module's own code runs the region, and not one around its calls.
bool SourceCalls::repeats_within(RegionId region, ModuleId id) const {
  const auto around = around_calls_.find(id);
  for (; region != none; region = graph_.regions()[region].parent) {
    if (around != around_calls_.end() && around->second.count(region) != 0) return false;
    if (graph_.regions()[region].kind == Region::Kind::loop_body) return true;
  }
  return false;
}

SourceCall SourceCalls::call_at(FrameId frame, ModuleId code) const {
  SourceCall call;
  const FrameId shown = graph_.user_frame(frame);
  call.place = graph_.location(shown);
  if (const std::string* line = graph_.source_line(call.place.file, call.place.line))
    call.code = *line;
  if (code == none) return call;
  call.class_name = graph_.module(code).class_name;
  call.runs = std::max<std::size_t>(graph_.module(code).calls, 1);
  return call;
}

void SourceCalls::count_on_lines() {
  places_.resize(graph_.op_count());
  std::map<Line, std::vector<OpId>> lines;
  for (OpId id = 0; id < graph_.op_count(); ++id)
    if (graph_.op(id).kind == OpKind::functional) lines[line_of(id)].push_back(id);
  for (const auto& [line, ops] : lines) {
    count_on_line(ops);
    count_in_calls(ops);
  }
}

/// An op in another arm of an `if` never runs with it.
void SourceCalls::count_on_line(const std::vector<OpId>& ops) {
  ExclusiveRegions regions(graph_);
  for (std::size_t before = 0; before < ops.size(); ++before) {
    const RegionId region = graph_.op(ops[before]).region;
    places_[ops[before]].number = before - regions.exclusive_with(region);
    regions.add(region);
  }
  for (const OpId id : ops)
    places_[id].count = ops.size() - regions.exclusive_with(graph_.op(id).region);
}

void SourceCalls::count_in_calls(const std::vector<OpId>& ops) {
  std::map<FrameId, std::vector<OpId>> of_frames;
  for (const OpId id : ops) of_frames[graph_.user_frame(graph_.op(id).frame)].push_back(id);
  for (const auto& [frame, same] : of_frames)
    for (std::size_t before = 0; before < same.size(); ++before) {
      places_[same[before]].number_in_call = before;
      places_[same[before]].count_in_call = same.size();
    }
}

std::vector<SourceCall> SourceCalls::calls_around(OpId id) const {
  const Op& op = graph_.op(id);
  std::vector<SourceCall> calls;
  if (op.kind != OpKind::functional) return calls;
  auto chain = graph_.call_chain(graph_.user_frame(op.frame));
  if (!chain.empty()) chain.erase(chain.begin());
  for (const FrameId frame : chain) {
    const Frame& around = graph_.frames()[frame];
    if (around.module != op.parent) break;
    if (!around.location.known() || is_inside_torch(around.location.file)) continue;
    calls.push_back(call_at(frame, op.parent));
    calls.back().number = places_[id].number_in_call;
    calls.back().count = places_[id].count_in_call;
  }
  return calls;
}

std::string SourceCalls::file_of(ModuleId module) const {
  const auto file = files_.find(module);
  return file == files_.end() ? std::string() : file->second;
}

Rewrite SourceCalls::rewrite_of(OpId id, Rewrite::Kind kind) {
  const Op& op = graph_.op(id);
  Rewrite rewrite;
  rewrite.kind = kind;
  rewrite.operation = op_family(op.type);
  rewrite.schema = op.schema;
  rewrite.calls.push_back(of_op(id));
  for (SourceCall& around : calls_around(id)) rewrite.calls.push_back(std::move(around));
  return rewrite;
}

SourceCall SourceCalls::of_op(OpId id) {
  if (places_.empty()) count_on_lines();
  const Op& op = graph_.op(id);
  SourceCall call = call_at(op.frame, op.parent);
  if (op.kind == OpKind::functional) {
    call.number = places_[id].number;
    call.count = places_[id].count;
  }
  if (!call.place.known()) call.place = {file_of(op.parent), 0, 0, 0};
  if (repeats_within(op.region, op.parent)) call.obstacle = in_a_loop;
  return call;
}

std::vector<SourceCall> SourceCalls::of_module(ModuleId id) const {
  const Module& module = graph_.module(id);
  const auto attributes = owner_attributes(module);
  std::map<std::tuple<std::string, int, int, std::string, std::string>, std::size_t> places;
  std::vector<SourceCall> calls;
  for (const CallSite& site : module.call_sites) {
    const ModuleId caller = caller_of(graph_, id, site);
    SourceCall call = call_at(site.frame, caller);
    if (!call.place.known()) call.place = {file_of(caller), 0, 0, 0};
    const auto own = attributes.find(graph_.module_path(caller));
    if (caller != none && own != attributes.end()) call.attribute = own->second;
    if (repeats_within(site.region, caller)) call.obstacle = in_a_loop;
    const auto [known, fresh] = places.try_emplace(
        {call.place.file, call.place.line, call.place.column, call.class_name, call.attribute},
        calls.size());
    if (fresh)
      calls.push_back(std::move(call));
    else
      ++calls[known->second].count;
  }
  return calls;
}

} // namespace model_validator
