#include "verify/backends/openvino/compiled_model.h"

#include "verify/backends/openvino/decoder.h"
#include "verify/backends/openvino/drop_empties.h"
#include "verify/backends/openvino/types.h"
#include "verify/backends/runtime_message.h"
#include "verify/run/signature.h"

#include <model_validator/error.h>

#include <ATen/Functions.h>
#include <openvino/frontend/manager.hpp>
#include <openvino/runtime/core.hpp>
#include <openvino/runtime/properties.hpp>

namespace model_validator::verify {
namespace {

/// OpenVINO's messages name their own source file, then the reason.
std::string reason_of(const std::exception& failure) {
  std::string text = failure.what();
  if (const auto last = text.find("FrontEnd API failed with"); last != std::string::npos)
    text.erase(0, last);
  return runtime_message(text);
}

ov::Tensor wrap(const at::Tensor& tensor) {
  const ov::Shape shape(tensor.sizes().begin(), tensor.sizes().end());
  const auto type = to_openvino(tensor.scalar_type());
  return tensor.numel() == 0 ? ov::Tensor(type, shape) : ov::Tensor(type, shape, tensor.data_ptr());
}

at::Tensor unwrap(const ov::Tensor& tensor) {
  const auto sizes = tensor.get_shape();
  const std::vector<std::int64_t> shape(sizes.begin(), sizes.end());
  const auto options = at::TensorOptions().dtype(to_torch(tensor.get_element_type()));
  auto result = at::empty(shape, options);
  if (result.numel() != 0) tensor.copy_to(wrap(result));
  return result;
}

} // namespace

std::shared_ptr<ov::Model> convert_graph(const std::shared_ptr<torch::jit::Graph>& graph) {
  try {
    ov::frontend::FrontEndManager manager;
    const auto front_end = manager.load_by_framework("pytorch");
    drop_empties(*graph);
    const auto decoded = std::make_shared<DecodedGraph>(graph);
    const std::shared_ptr<ov::frontend::IDecoder> decoder =
        std::make_shared<TorchScriptDecoder>(decoded, graph->block());
    return front_end->convert(front_end->load(decoder));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {
    throw Error(ErrorKind::backend_refused, "",
                "OpenVINO cannot convert the model: " + reason_of(failure));
  }
}

std::vector<InputPort> ports_of(const ov::Model& model) {
  std::vector<InputPort> ports;
  for (const auto& input : model.inputs()) {
    InputPort port{input.get_node()->get_friendly_name(), std::nullopt, {}};
    if (const auto& type = input.get_element_type(); type.is_static())
      port.dtype = dtype_numbered(&DTypeFacts::torch, static_cast<int>(to_torch(type)));
    if (const auto& shape = input.get_partial_shape(); shape.rank().is_static())
      for (const ov::Dimension& size : shape)
        port.shape.push_back(size.is_static() ? size.get_length() : -1);
    port.other_names.assign(input.get_names().begin(), input.get_names().end());
    ports.push_back(std::move(port));
  }
  return ports;
}

std::vector<at::Tensor> bound_to(const std::vector<InputPort>& ports, const NamedTensors& given,
                                 const std::function<void(const std::string&)>& note) {
  std::vector<at::Tensor> tensors;
  for (const auto& [name, tensor] : bound_inputs(ports, given, note))
    tensors.push_back(to_torch(tensor));
  return tensors;
}

Device device_of(const BackendOptions& options) {
  return {options.provider.empty() ? "CPU" : options.provider, options.threads};
}

ov::CompiledModel compile_for(const Device& device, const std::shared_ptr<ov::Model>& model) {
  static ov::Core core;
  ov::AnyMap settings{ov::hint::inference_precision(ov::element::f32)};
  if (device.name == "CPU" && device.threads != 0)
    settings.insert(ov::inference_num_threads(static_cast<int>(device.threads)));
  try {
    return core.compile_model(model, device.name, settings);
  } catch (const std::exception& failure) {
    throw Error(ErrorKind::backend_refused, "",
                "OpenVINO cannot compile the model: " + reason_of(failure));
  }
}

std::vector<at::Tensor> infer(ov::CompiledModel& model, const std::vector<at::Tensor>& inputs) {
  auto request = model.create_infer_request();
  std::vector<at::Tensor> dense, outputs;
  try {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      dense.push_back(inputs[i].contiguous());
      request.set_input_tensor(i, wrap(dense.back()));
    }
    request.infer();
  } catch (const std::exception& failure) {
    throw Error(ErrorKind::run_failed, "", "OpenVINO failed: " + reason_of(failure));
  }
  for (std::size_t i = 0; i < model.outputs().size(); ++i)
    outputs.push_back(unwrap(request.get_output_tensor(i)));
  return outputs;
}

} // namespace model_validator::verify
