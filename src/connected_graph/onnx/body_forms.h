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

/// Of two types that should be one, what the kind of a form ends with: TensorRT makes one of
/// float32 and float64.
std::string kind_of_types(const KnownType& a, const KnownType& b);

/// How a `Scan` hands its inputs to its body: as they are, and the last of them slice after slice.
class ScanInputs {
public:
  /// Of another node, which hands on no slices.
  explicit ScanInputs(const ::onnx::NodeProto& node);

  bool is_sliced(int input) const { return input >= first_sliced_; }

  /// What an input of the body is handed, which is held against what the body declares of it. Null
  /// where that is not known.
  std::shared_ptr<const shapes::Shape> handed(const ::onnx::NodeProto& scan, int input,
                                              const shapes::Shape& given,
                                              const TensorType& declared, FormList& forms) const;

private:
  std::int64_t first_sliced_;
  bool along_others_;
};

} // namespace model_validator::onnx_format
