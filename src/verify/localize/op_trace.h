#pragma once

#include "verify/localize/sketch.h"

#include <model_validator/source_location.h>

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <cstddef>
#include <string>
#include <vector>

namespace model_validator::verify {

/// One operator that ran, and where its inputs came from.
struct TracedOp {
  std::string name; ///< `conv2d_3`
  std::string type; ///< `conv2d`
  std::string module;
  SourceLocation source;
  std::vector<Sketch> outputs;
  std::vector<std::size_t> producers; ///< ops of the trace whose results it reads
};

/// A run as its operators, in order.
struct OpTrace {
  std::vector<TracedOp> ops;
  std::vector<std::size_t> results; ///< for each output of the model the op that made it
};

/// Runs a module and sketches every tensor. A tensor is freed as soon as nothing needs it.
OpTrace trace_ops(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs);

} // namespace model_validator::verify
