#include "validators/source_calls.h"

#include "connected_graph/torch_sources.h"
#include "validators/module_reuse.h"
#include "validators/op_family.h"
#include "validators/places.h"

#include <algorithm>
#include <set>

namespace model_validator {
namespace {

constexpr const char* in_a_loop = "it is called in a loop, as often as that runs";

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// The attribute by which a module has another: its own child's, or that of an alias. Empty where
/// it has none.
std::string attribute_in(const Module& module, const std::string& owner) {
  const std::string below = owner.empty() ? owner : owner + '.';
  const auto is_child = [&](const std::string& path) {
    return path.starts_with(below) && path.find('.', below.size()) == std::string::npos;
  };
  if (is_child(module.path)) return last_part(module.path);
  const auto alias = std::find_if(module.aliases.begin(), module.aliases.end(), is_child);
  return alias == module.aliases.end() ? std::string() : last_part(*alias);
}

std::set<RegionId> loops_around(const ConnectedGraph& graph, RegionId region) {
  std::set<RegionId> loops;
  for (; region != none; region = graph.regions().at(region).parent)
    if (graph.regions()[region].kind == Region::Kind::loop_body) loops.insert(region);
  return loops;
}

} // namespace

SourceCalls::SourceCalls(const ConnectedGraph& graph) : graph_(graph) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (graph.op(id).kind == OpKind::functional) lines_[line_of(id)].push_back(id);
}

SourceCalls::Line SourceCalls::line_of(OpId id) const {
  const Op& op = graph_.op(id);
  const SourceLocation& place = graph_.location(graph_.user_frame(op.frame));
  return {place.file, place.line, place.column, op_family(op.type), op.parent};
}

/// Whether a loop of the module's own code runs the region, and not one around its calls.
bool SourceCalls::repeats_within(RegionId region, ModuleId id) const {
  std::set<RegionId> loops = loops_around(graph_, region);
  if (id != none)
    for (const CallSite& site : graph_.module(id).call_sites)
      for (const RegionId outer : loops_around(graph_, site.region)) loops.erase(outer);
  return !loops.empty();
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

/// What stands in another arm of an `if` never runs with it.
void SourceCalls::count_on_line(OpId id, SourceCall& call) const {
  call.number = call.count = 0;
  for (const OpId other : lines_.at(line_of(id))) {
    if (exclusive(graph_, graph_.op(id).region, graph_.op(other).region)) continue;
    if (other < id) ++call.number;
    ++call.count;
  }
}

/// The file of what else the module's code runs.
std::string SourceCalls::file_of(ModuleId module) const {
  for (const Frame& frame : graph_.frames())
    if (frame.module == module && frame.location.known() && !is_inside_torch(frame.location.file))
      return frame.location.file;
  return {};
}

SourceCall SourceCalls::of_op(OpId id) const {
  const Op& op = graph_.op(id);
  SourceCall call = call_at(op.frame, op.parent);
  count_on_line(id, call);
  if (!call.place.known()) call.place = {file_of(op.parent), 0, 0, 0};
  if (repeats_within(op.region, op.parent)) call.obstacle = in_a_loop;
  return call;
}

std::vector<SourceCall> SourceCalls::of_module(ModuleId id) const {
  const Module& module = graph_.module(id);
  std::vector<SourceCall> calls;
  for (const CallSite& site : module.call_sites) {
    const ModuleId caller = caller_of(graph_, id, site);
    SourceCall call = call_at(site.frame, caller);
    if (!call.place.known()) call.place = {file_of(caller), 0, 0, 0};
    if (caller != none) call.attribute = attribute_in(module, graph_.module(caller).path);
    if (repeats_within(site.region, caller)) call.obstacle = in_a_loop;
    const auto same = std::find_if(calls.begin(), calls.end(), [&](const SourceCall& other) {
      return other.place == call.place && other.class_name == call.class_name &&
             other.attribute == call.attribute;
    });
    if (same == calls.end())
      calls.push_back(std::move(call));
    else
      ++same->count;
  }
  return calls;
}

} // namespace model_validator
