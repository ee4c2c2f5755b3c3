#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/graph_reader.h>
#include <model_validator/verify/inputs.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace model_validator {

/// What happened to a region, over all samples.
struct RegionOutcome {
  std::size_t reached = 0; ///< how often the `if` was decided, or the loop was reached
  std::size_t runs = 0;    ///< how often the branch was taken, or the loop body ran
  std::size_t fewest = 0;  ///< smallest number of iterations in one run of the loop
  std::size_t most = 0;    ///< largest number of iterations in one run of the loop
};

/// The least and the greatest size of each dimension of a tensor.
using SizeRanges = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// What a run with inputs adds to a graph, besides the shapes and dtypes that it fills in.
struct Trace {
  std::size_t samples = 0; ///< that ran to completion
  /// Why it ended early, as one sentence; empty if it ran to completion.
  std::string ended_by;
  OpId ended_at = none; ///< the op that it could not pass
  /// By op: how often it ran. None for a constant, and for ops that may follow an early end.
  std::vector<std::optional<std::size_t>> runs;
  /// By region; none for regions that may follow an early end.
  std::vector<std::optional<RegionOutcome>> outcomes;
  /// By op and output, if several shapes were seen. In the graph a size that varied is -1.
  std::map<std::pair<OpId, std::size_t>, SizeRanges> ranges;
};

/// Why the trace ended early, with the place in Python, as one sentence; empty if it ran to
/// completion.
std::string why_ended(const ConnectedGraph& graph, const Trace& trace);

/// A graph whose ops and products have shapes and dtypes, and what else was seen.
struct TracedGraph {
  ConnectedGraph graph;
  Trace trace;
};

/// How a model is traced.
struct TraceOptions {
  verify::InputOptions inputs;
  /// Run with real values and weights. Off, floating-point tensors have no bytes and nothing is
  /// computed on them; where a shape depends on their values, the trace ends.
  bool values = false;
  /// The most nodes and loop iterations in one run, for a model that does not terminate; 0: no
  /// limit.
  std::size_t max_steps = 5'000'000;
};

/// Reads a TorchScript file and runs its code with inputs, node by node.
/// @throws Error: as `read_graph`, and (`missing-input`, `unknown-input`, `bad-inputs`) for inputs
/// that do not fit the model, (`run-failed`) naming the op that cannot take them, (`not-traceable`)
/// for a file of another format
TracedGraph trace_graph(const std::filesystem::path& file, const TraceOptions& trace,
                        const ReadOptions& options = {});

} // namespace model_validator
