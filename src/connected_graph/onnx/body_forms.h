#pragma once

#include "connected_graph/onnx/form_list.h"
#include "connected_graph/onnx/subgraph_results.h"

#include <onnx-ml.pb.h>

namespace model_validator::onnx_format {

/// How many values cross the borders of a node's bodies, and which of them are left out.
/// @param opset  of ONNX's own operators: before 9, a `Scan` is told lengths, and goes over batches
void add_body_forms(const ::onnx::NodeProto& node, int opset, FormList& forms);

/// What the dtypes, ranks and sizes of those values have against each other.
/// @param flat  number of the flat node that it becomes
void add_border_forms(const ::onnx::NodeProto& node, int opset, const SubgraphValues& values,
                      std::size_t flat, FormList& forms);

/// Of two dtypes that should be one, what the kind of a form ends with: TensorRT makes one of
/// float32 and float64.
const char* kind_of_dtypes(const std::string& a, const std::string& b);

/// Whether a `Scan` hands slices of an input to its body.
bool is_sliced(const ::onnx::NodeProto& node, int input);

/// What a `Scan` hands to an input of its body, as it is or slice after slice, which is held
/// against what the body declares of it. Null where that is not known.
std::shared_ptr<const shapes::Shape> handed_by_scan(const ::onnx::NodeProto& scan, int input,
                                                    const shapes::Shape& given,
                                                    const TensorType& declared, FormList& forms);

} // namespace model_validator::onnx_format
