#include "verify/backends/onnx_copy.h"

#include <model_validator/error.h>

#include <algorithm>
#include <fstream>

namespace model_validator::verify {

bool has_external_weights(const onnx::ModelProto& model) {
  return std::ranges::any_of(model.graph().initializer(), [](const onnx::TensorProto& tensor) {
    return tensor.data_location() == onnx::TensorProto::EXTERNAL;
  });
}

onnx::ModelProto whole_copy_of(OnnxModel& model) {
  const auto proto = model.proto();
  if (!has_external_weights(*proto)) return *proto;
  throw Error(ErrorKind::backend_refused, model.file().string(), "its weights lie in other files");
}

void write_onnx_copy(const onnx::ModelProto& model, const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  if (!model.SerializeToOstream(&out) || !out.flush())
    throw Error(ErrorKind::cannot_write, file.string(),
                "the changed model cannot be written there");
}

std::vector<float> floats_in(const onnx::TensorProto& tensor) {
  if (tensor.data_type() != onnx::TensorProto::FLOAT) return {};
  if (tensor.float_data_size() > 0) return {tensor.float_data().begin(), tensor.float_data().end()};
  const std::string& bytes = tensor.raw_data();
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(float));
  return numbers;
}

void store(const std::vector<float>& numbers, onnx::TensorProto& tensor) {
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.clear_float_data();
  tensor.mutable_raw_data()->assign(reinterpret_cast<const char*>(numbers.data()),
                                    numbers.size() * sizeof(float));
}

onnx::NodeProto& add_node(onnx::GraphProto& graph, const char* type,
                          const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(type);
  for (const std::string& input : inputs) node.add_input(input);
  for (const std::string& output : outputs) node.add_output(output);
  return node;
}

void add_cast(onnx::GraphProto& graph, const std::string& from, const std::string& to, int type) {
  auto& attribute = *add_node(graph, "Cast", {from}, {to}).add_attribute();
  attribute.set_name("to");
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(type);
}

} // namespace model_validator::verify
