#include "verify/run/device.h"

#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>

#include <ATen/Context.h>

namespace model_validator::verify {

void require_device(const std::string& device) {
  if (device == "cpu") return;
  if (device != "cuda")
    throw Error(ErrorKind::no_device, "", "there is no device `" + device + "`",
                "choose cpu or cuda");
  if (!at::globalContext().hasCUDA())
    throw Error(ErrorKind::no_device, "", "LibTorch finds no GPU for `--device cuda`",
                "it must be a LibTorch that was built with CUDA, on a machine with an NVIDIA GPU "
                "and its driver; without `--device` the CPU is used");
}

torch::jit::Module on_device(const torch::jit::Module& module, const std::string& device) {
  if (device == "cpu") return module;
  // Convolutions with fewer bits than float32 has would be off by far more than rounding.
  at::globalContext().setAllowTF32CuDNN(false);
  auto copy = module.deepcopy();
  copy.to(at::Device(device));
  return copy;
}

std::vector<c10::IValue> on_device(const std::vector<c10::IValue>& values,
                                   const std::string& device) {
  if (device == "cpu") return values;
  std::vector<c10::IValue> moved;
  for (const auto& value : values)
    moved.push_back(map_tensors(
        value, [&](const at::Tensor& tensor) { return tensor.to(at::Device(device)); }));
  return moved;
}

c10::IValue on_cpu(const c10::IValue& value) {
  return map_tensors(value, [](const at::Tensor& tensor) { return tensor.cpu(); });
}

} // namespace model_validator::verify
