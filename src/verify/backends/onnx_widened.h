#pragma once

#include "verify/backends/onnx_unrounded.h"

#include <onnx-ml.pb.h>

namespace model_validator::verify {

/// Makes float32 of all that a graph stores or computes in halves, with the numbers of the
/// reference where it has some that round to those of the copy.
/// @param reference  null where it is no file of ONNX
void widen_halves(onnx::GraphProto& graph, const onnx::GraphProto* reference,
                  const FindOwnWeight& find_own);

} // namespace model_validator::verify
