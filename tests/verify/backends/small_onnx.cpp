#include "verify/backends/small_onnx.h"

#include <fstream>
#include <onnx-ml.pb.h>

namespace model_validator::testing {
namespace {

void describe(onnx::ValueInfoProto& info, const SmallOnnx::Tensor& tensor) {
  info.set_name(tensor.name);
  auto* type = info.mutable_type()->mutable_tensor_type();
  type->set_elem_type(tensor.type);
  for (const auto size : tensor.shape) {
    auto& dimension = *type->mutable_shape()->add_dim();
    if (size >= 0) dimension.set_dim_value(size);
  }
}

void fill(onnx::TensorProto& proto, const SmallOnnx::Tensor& weight) {
  proto.set_name(weight.name);
  proto.set_data_type(onnx::TensorProto::FLOAT);
  for (const auto size : weight.shape) proto.add_dims(size);
  proto.set_raw_data(weight.values.data(), weight.values.size() * sizeof(float));
}

} // namespace

void write_onnx(const std::filesystem::path& file, const SmallOnnx& model) {
  onnx::ModelProto proto;
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(17);
  auto& graph = *proto.mutable_graph();
  graph.set_name("small");
  for (const auto& input : model.inputs) describe(*graph.add_input(), input);
  for (const auto& weight : model.weights) fill(*graph.add_initializer(), weight);
  for (const auto& node : model.nodes) {
    auto& added = *graph.add_node();
    added.set_op_type(node.op);
    for (const auto& input : node.inputs) added.add_input(input);
    added.add_output(node.output);
  }
  for (const auto& output : model.outputs) graph.add_output()->set_name(output);
  std::ofstream(file, std::ios::binary) << proto.SerializeAsString();
}

} // namespace model_validator::testing
