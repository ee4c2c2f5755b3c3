#include "connected_graph/format_table.h"

namespace model_validator {
namespace {

std::string place_of(const ConnectedGraph& graph, OpId op) {
  if (op == none) return {};
  const SourceLocation& place = graph.location(graph.user_frame(graph.op(op).frame));
  if (!place.known()) return {};
  return " (" + place.file + ":" + std::to_string(place.line) + ")";
}

} // namespace

std::string why_ended(const ConnectedGraph& graph, const Trace& trace) {
  if (trace.ended_by.empty()) return {};
  return "the trace ended early: " + trace.ended_by + place_of(graph, trace.ended_at);
}

TracedGraph trace_graph(const std::filesystem::path& file, const TraceOptions& trace,
                        const ReadOptions& options) {
  return format_of(file).trace(file, trace, options);
}

} // namespace model_validator
