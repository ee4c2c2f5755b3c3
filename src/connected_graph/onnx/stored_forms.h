#pragma once

#include "connected_graph/onnx/form_list.h"
#include "connected_graph/onnx/onnx_file.h"

#include <cstdint>
#include <onnx-ml.pb.h>

namespace model_validator::onnx_format {

/// How many numbers, or bytes, a tensor holds.
struct Held {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  bool in_bytes = false;
};

/// The forms that tensors have which lie in the model's own file: their bytes against their
/// dimensions, and how their numbers are written. No number is read.
class StoredForms {
public:
  /// Holds references to both.
  StoredForms(const OnnxFile& source, FormList& forms) : source_(source), forms_(forms) {}

  /// Without what its nodes hold.
  void read(const ::onnx::GraphProto& graph);
  void read(const ::onnx::NodeProto& node);

private:
  void read(const ::onnx::TensorProto& tensor, const std::string& name);
  void read(const ::onnx::SparseTensorProto& sparse);
  void read_listed(const ::onnx::TensorProto& tensor, const std::string& name);
  void hold_against(const Held& held, std::uint64_t needed, const std::string& name);
  void compare(const ::onnx::TensorProto& tensor, std::uint64_t count, const std::string& name);

  const OnnxFile& source_;
  FormList& forms_;
};

} // namespace model_validator::onnx_format
