#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/diagnostic.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace model_validator {

/// Distinguishes the calls of a graph by their places in Python.
///
/// A trace records lines without columns, and one line may run many operators: each is recognised
/// by its kind, and by its number among those of its kind in one run of the line.
class SourceCalls {
public:
  explicit SourceCalls(const ConnectedGraph& graph);

  /// Where a functional op is called.
  SourceCall of_op(OpId op);
  /// An edit of that place. Behind it stand the calls, in the code of the same module, of the
  /// functions that run it, innermost first; each with the op's number among those of its kind that
  /// they run there.
  Rewrite rewrite_of(OpId op, Rewrite::Kind kind);
  /// The places from which a module is called, in the order of its calls, each once.
  std::vector<SourceCall> of_module(ModuleId module) const;

private:
  using Line = std::tuple<std::string_view, int, int, std::string_view, ModuleId>;
  /// Which of its kind an op is on its line, and of how many.
  struct Place {
    std::size_t number = 0;
    std::size_t count = 0;
    std::size_t number_in_call = 0; ///< among those that the same calls run
    std::size_t count_in_call = 0;
  };

  Line line_of(OpId op) const;
  void count_on_lines();
  void count_on_line(const std::vector<OpId>& ops);
  void count_in_calls(const std::vector<OpId>& ops);
  std::vector<SourceCall> calls_around(OpId op) const;
  SourceCall call_at(FrameId frame, ModuleId code) const;
  std::string file_of(ModuleId module) const;
  bool repeats_within(RegionId region, ModuleId module) const;

  const ConnectedGraph& graph_;
  std::vector<Place> places_; ///< by op, of functional ones; filled in when one is asked for
  std::map<ModuleId, std::string> files_;               ///< of what else the module's code runs
  std::map<ModuleId, std::set<RegionId>> around_calls_; ///< regions in which a module is called
};

} // namespace model_validator
