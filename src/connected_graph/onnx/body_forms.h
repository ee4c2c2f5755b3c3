#pragma once

#include "connected_graph/onnx/form_list.h"
#include "connected_graph/onnx/subgraph_results.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <onnx-ml.pb.h>
#include <optional>
#include <string>
#include <vector>

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

/// How a `Scan` hands its inputs to its body, as they are, and the last of them slice after slice;
/// and how it puts what its body yields together.
class ScanAxes {
public:
  /// Of another node, which hands on no slices.
  explicit ScanAxes(const ::onnx::NodeProto& node);

  std::size_t first_sliced() const { return first_sliced_; }
  /// Which of these many axes an input is cut along; nothing where it has no such axis.
  std::optional<std::size_t> cut(std::size_t input, std::size_t rank) const;
  /// Which of these many axes the slices of a result lie along.
  std::optional<std::size_t> written(std::size_t output, std::size_t rank) const;
  /// The same as the file states them, be there such an axis or not.
  std::int64_t stated_cut(std::size_t input) const;
  std::int64_t stated_written(std::size_t output) const;

  /// What an input of the body is handed, which is held against what the body declares of it. Null
  /// where that is not known.
  std::shared_ptr<const shapes::Shape> handed(const ::onnx::NodeProto& scan, std::size_t input,
                                              const shapes::Shape& given,
                                              const TensorType& declared, FormList& forms) const;

private:
  std::size_t first_sliced_;
  std::vector<std::int64_t> cut_, written_;
};

} // namespace model_validator::onnx_format
