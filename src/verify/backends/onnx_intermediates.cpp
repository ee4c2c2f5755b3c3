#include "verify/backends/onnx_intermediates.h"

#include "connected_graph/onnx/names_read.h"
#include "verify/backends/onnx_parts.h"
#include "verify/backends/onnx_types.h"

#include <model_validator/error.h>

#include <fstream>
#include <onnx-ml.pb.h>
#include <set>

namespace model_validator::verify {
namespace {

/// Old files list their weights among the inputs.
std::set<std::string> given_inputs(const onnx::GraphProto& graph) {
  std::set<std::string> names;
  for (const auto& input : graph.input()) names.insert(input.name());
  for (const auto& weight : graph.initializer()) names.erase(weight.name());
  return names;
}

/// The node still computes the value, under a name that nothing reads.
void detach(onnx::GraphProto& graph, const std::string& value) {
  for (auto& node : *graph.mutable_node())
    for (auto& output : *node.mutable_output())
      if (output == value) output += "/replaced";
}

void add_input(onnx::GraphProto& graph, const NamedTensor& value) {
  auto* input = graph.add_input();
  input->set_name(value.name);
  auto* type = input->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx_type_of(value.tensor.view.dtype));
  for (const auto size : value.tensor.view.shape)
    type->mutable_shape()->add_dim()->set_dim_value(size);
}

} // namespace

OnnxIntermediates::OnnxIntermediates(const OnnxParts& parts) : model_(parts.structure) {
  std::set<std::string> known;
  const std::set<std::string> given = given_inputs(model_->graph());
  for (const auto& node : model_->graph().node()) {
    OnnxValue value{"", node.op_type(), {}, node.name()};
    for (const std::string& name : onnx_format::names_read(node)) { // each once
      value.reads_inputs = value.reads_inputs || given.count(name) != 0;
      if (known.count(name) != 0) value.inputs.push_back(name);
    }
    if (const int last = node.input_size() - 1; last >= 0 && known.count(node.input(last)) != 0)
      value.last_operand = node.input(last);
    for (const auto& output : node.output()) {
      if (output.empty()) continue;
      known.insert(value.name = output);
      values_.push_back(value);
    }
  }
  for (const auto& output : model_->graph().output()) outputs_.push_back(output.name());
  if (!parts.weights.empty()) write(parts.weights);
}

std::filesystem::path OnnxIntermediates::weights() const {
  return weights_ ? weights_->path() : std::filesystem::path();
}

void OnnxIntermediates::write(const NamedTensors& weights) {
  weights_.emplace();
  std::ofstream stream(weights_->path() / weights_file, std::ios::binary);
  for (const auto& [name, tensor] : weights)
    stream.write(static_cast<const char*>(tensor.view.data),
                 element_count(tensor.view) *
                     static_cast<std::streamsize>(element_size(tensor.view.dtype)));
  if (!stream.flush())
    throw Error(ErrorKind::cannot_write, weights_->path().string(),
                "the weights cannot be written there");
}

std::string OnnxIntermediates::variant(const std::vector<std::string>& outputs,
                                       const NamedTensors& replaced) const {
  auto model = *model_;
  auto& graph = *model.mutable_graph();
  for (const auto& value : replaced) {
    detach(graph, value.name);
    add_input(graph, value);
  }
  graph.clear_output();
  // The runtime infers their types.
  for (const auto& name : outputs) graph.add_output()->set_name(name);
  return model.SerializeAsString();
}

} // namespace model_validator::verify
