#pragma once

#include "verify/backends/onnx_unrounded.h"

#include <map>
#include <onnx-ml.pb.h>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// An integer attribute of a node.
std::int64_t attribute_of(const onnx::NodeProto& node, const std::string& name,
                          std::int64_t otherwise);

/// The elements of a tensor of few bits, which lie there as bytes or as whole numbers.
/// @param width  bytes of an element
std::string bytes_of(const onnx::TensorProto& tensor, std::size_t width);

/// The numbers of a tensor in few bits, without a scale; none where it is damaged, or of others.
std::optional<FewBitWeight> weight_of(const onnx::TensorProto& tensor);

/// The tensors that a graph stores, read as the numbers that they stand for.
class StoredNumbers {
public:
  /// @param graph  outlives this
  explicit StoredNumbers(const onnx::GraphProto& graph);
  /// Of a graph whose nodes lie elsewhere by now.
  StoredNumbers(const onnx::GraphProto& weights, const onnx::GraphProto& nodes);

  bool has(const std::string& name) const { return tensors_.count(name) != 0; }
  /// Of float32; none of another dtype, or where it is not stored.
  std::vector<float> floats(const std::string& name) const;

  /// (number − zero point) · scale. None where something is not stored, or is of no few bits.
  /// @param scale  empty: 1; its numbers lie along `axis`, or one for each `block` along it
  /// @param axis  −1: the last
  std::optional<FewBitWeight> weight(const std::string& name, const std::string& scale,
                                     const std::string& zero_point, std::int64_t axis,
                                     std::int64_t block = 0) const;
  /// What a `MatMulNBits` node multiplies with, a row for each output. None where its weights are
  /// not stored, lie in another order, or are computed with in halves.
  std::optional<FewBitWeight> blocked_weight(const onnx::NodeProto& node) const;
  /// A bias in whole numbers, whose scale is the product of two others.
  std::optional<FewBitWeight> sums(const std::string& name, const std::string& scale,
                                   const std::string& other) const;

private:
  const onnx::TensorProto* find(const std::string& name) const;
  const onnx::TensorProto* input(const onnx::NodeProto& node, int place) const;
  std::map<std::string, const onnx::TensorProto*> tensors_;
};

} // namespace model_validator::verify
