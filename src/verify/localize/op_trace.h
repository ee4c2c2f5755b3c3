#pragma once

#include "verify/localize/sketch.h"
#include "verify/run/op_watcher.h"

#include <model_validator/source_location.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// One operator that ran, and where its inputs came from.
struct TracedOp {
  std::string name; ///< in the graph of the model
  std::string type; ///< `conv2d`
  std::string module;
  SourceLocation source;
  std::vector<Sketch> outputs;
  std::vector<ResultId> producers; ///< results that it reads
  bool reads_inputs = false;       ///< those of the model
  bool varies = false;             ///< depends on the model's inputs; else a compiler folds it

  /// Any of its results.
  bool real_valued() const { return std::ranges::any_of(outputs, &Sketch::real_valued); }
};

/// A run as its operators, in order.
struct OpTrace {
  std::vector<TracedOp> ops;
  std::vector<Sketch> outputs;                  ///< of the model
  std::vector<std::optional<ResultId>> results; ///< which op made each of them
};

/// The effect of rounding on a model: for each op and each output the distance of the run from the
/// same run in another precision, as part of the largest value.
struct RoundingNoise {
  std::vector<double> ops;
  std::vector<double> outputs;
};

} // namespace model_validator::verify
