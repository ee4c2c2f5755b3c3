#pragma once

#include "verify/localize/sketch.h"
#include "verify/run/narrowing.h"
#include "verify/run/op_watcher.h"

#include <model_validator/source_location.h>

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <map>
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

  bool real_valued() const; ///< any of its results
};

/// A run as its operators, in order.
struct OpTrace {
  std::vector<TracedOp> ops;
  std::vector<Sketch> outputs;                  ///< of the model
  std::vector<std::optional<ResultId>> results; ///< which op made each of them
};

/// Runs a module and sketches every tensor. A tensor is freed as soon as nothing needs it.
OpTrace trace_ops(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs);

/// The effect of rounding on a model: for each op and each output the distance of the run from the
/// same run in another precision, as part of the largest value.
struct RoundingNoise {
  std::vector<double> ops;
  std::vector<double> outputs;
};

/// Nothing where the other run takes another path through the model.
/// @param narrowing  of the other run; none: float64
/// @throws Error where the model cannot be run so
std::optional<RoundingNoise> rounding_noise(const OpTrace& trace, const torch::jit::Module& module,
                                            const std::vector<c10::IValue>& inputs,
                                            const std::optional<Narrowing>& narrowing = {});

/// Runs the module again and keeps copies of a few results.
std::map<ResultId, at::Tensor> results_of(const torch::jit::Module& module,
                                          const std::vector<c10::IValue>& inputs,
                                          const std::vector<ResultId>& wanted);

} // namespace model_validator::verify
