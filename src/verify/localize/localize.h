#pragma once

#include "verify/localize/reference_run.h"

#include <model_validator/verify/report.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// What was found about where two models diverge.
struct Divergence {
  std::vector<std::string> notes; ///< what no single op explains
  std::vector<OpComparison> ops;  ///< ops with real-valued results, in order
};

template <class Archive> void describe(Archive& archive, ConstantResult& constant) {
  archive(constant.op, constant.shape, constant.values);
}
template <class Archive> void describe(Archive& archive, OpComparison& op) {
  archive(op.op, op.type, op.module, op.source, op.candidate, op.error, op.tolerance,
          op.first_divergent, op.introduced, op.sqnr, op.introduced_sqnr, op.result, op.greatest,
          op.graph_op, op.cause, op.region, op.candidate_region, op.constants);
}
template <class Archive> void describe(Archive& archive, Divergence& divergence) {
  archive(divergence.ops, divergence.notes);
}

/// Finds where a candidate diverges from a reference. Computes: for a process of its own.
/// @param inputs  of the reference
/// @throws Error (`cannot-localize`) when a backend shows nothing of what it computes
Divergence localize(const ReferenceRun& reference, ShowRun candidate,
                    const std::vector<c10::IValue>& inputs);

} // namespace model_validator::verify
