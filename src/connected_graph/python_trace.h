#pragma once

#include <model_validator/graph_builder.h>
#include <model_validator/program.h>

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace model_validator {

/// One entry of a Python stack trace.
struct TraceLine {
  SourceLocation location;
  std::string function;
  std::string code;
};

/// Reads a stack trace as Python prints it, outermost call first. Frames of the exporter itself are
/// left out.
std::vector<TraceLine> parse_python_trace(std::string_view text);

/// Turns stack traces into the frames of a graph, each once.
class FrameTable {
public:
  explicit FrameTable(GraphBuilder& graph) : graph_(graph) {}

  /// The innermost frame of a trace, or `none` for an empty one.
  /// @param stack  the modules that were being called, outermost first
  FrameId innermost(const std::vector<TraceLine>& trace, const std::vector<ModuleCall>& stack);

private:
  FrameId frame(const TraceLine& line, ModuleId module, FrameId caller);

  GraphBuilder& graph_;
  std::map<std::tuple<std::string, int, ModuleId, FrameId>, FrameId> known_;
};

} // namespace model_validator
