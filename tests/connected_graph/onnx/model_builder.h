#pragma once

#include "connected_graph/onnx/onnx_reader.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <onnx-ml.pb.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace model_validator::testing {

/// A file that is gone when the test is over.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string& content) {
    static int counter = 0;
    path_ =
        std::filesystem::temp_directory_path() /
        ("model_validator_onnx_" + std::to_string(::getpid()) + "_" + std::to_string(counter++));
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

using Names = std::initializer_list<const char*>;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

inline onnx::NodeProto& add_node(Nodes& nodes, const std::string& type, Names inputs,
                                 Names outputs) {
  onnx::NodeProto& node = *nodes.Add();
  node.set_op_type(type);
  node.set_name("node_" + std::to_string(nodes.size()));
  for (const char* input : inputs) node.add_input(input);
  for (const char* output : outputs) node.add_output(output);
  return node;
}

inline void add_value(onnx::ValueInfoProto& info, const std::string& name,
                      const std::vector<std::int64_t>& shape, int type = 1) {
  info.set_name(name);
  auto& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape();
  for (const std::int64_t size : shape) {
    auto& dimension = *tensor.mutable_shape()->add_dim();
    if (size < 0)
      dimension.set_dim_param("n");
    else
      dimension.set_dim_value(size);
  }
}

/// A weight with these numbers, over and over.
inline onnx::TensorProto& add_weight_of(onnx::GraphProto& graph, const std::string& name,
                                        const std::vector<std::int64_t>& shape,
                                        const std::vector<float>& numbers) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  std::size_t count = 1;
  for (const std::int64_t size : shape) {
    tensor.add_dims(size);
    count *= static_cast<std::size_t>(size);
  }
  std::vector<float> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(numbers[i % numbers.size()]);
  tensor.set_raw_data(all.data(), count * sizeof(float));
  return tensor;
}

/// A weight whose numbers all differ, as trained ones do.
inline onnx::TensorProto& add_weight(onnx::GraphProto& graph, const std::string& name,
                                     const std::vector<std::int64_t>& shape) {
  std::vector<float> numbers;
  for (int i = 1; i <= 1024; ++i) numbers.push_back(static_cast<float>(i) / 1000);
  return add_weight_of(graph, name, shape, numbers);
}

inline onnx::TensorProto& add_integers(onnx::GraphProto& graph, const std::string& name,
                                       const std::vector<std::int64_t>& values) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  tensor.set_raw_data(std::string(reinterpret_cast<const char*>(values.data()), values.size() * 8));
  return tensor;
}

inline void set_integer(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

inline onnx::GraphProto& add_subgraph(onnx::NodeProto& node, const std::string& name) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::GRAPH);
  return *attribute.mutable_g();
}

/// The metadata that torch's exporter writes.
inline void set_origin(onnx::NodeProto& node, const std::string& scopes, const std::string& classes,
                       const std::string& trace = {}) {
  const std::initializer_list<std::pair<const char*, std::string>> entries{
      {"pkg.torch.onnx.name_scopes", scopes},
      {"pkg.torch.onnx.class_hierarchy", classes},
      {"pkg.torch.onnx.stack_trace", trace}};
  for (const auto& [key, value] : entries) {
    auto& entry = *node.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
}

/// A model with input `x` and output `y`, both 1x8 floats.
inline onnx::ModelProto model_skeleton() {
  onnx::ModelProto model;
  model.set_ir_version(10);
  model.set_producer_name("pytorch");
  model.set_producer_version("2.13.0");
  model.add_opset_import()->set_version(20);
  add_value(*model.mutable_graph()->add_input(), "x", {1, 8});
  add_value(*model.mutable_graph()->add_output(), "y", {1, 8});
  return model;
}

inline ConnectedGraph read_back(const onnx::ModelProto& model) {
  const TemporaryFile file(model.SerializeAsString());
  return read_onnx(file.path());
}

} // namespace model_validator::testing
