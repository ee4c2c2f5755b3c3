#include "verify/run/device.h"

#include "verify/run/named_devices.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>

#include <ATen/Context.h>

#include <dlfcn.h>
#include <filesystem>

namespace model_validator::verify {
namespace {

std::filesystem::path folder_of_torch() {
  Dl_info torch{};
  ::dladdr(reinterpret_cast<const void*>(&at::globalContext), &torch);
  return std::filesystem::path(torch.dli_fname).parent_path();
}

/// It registers CUDA's kernels and hooks with the library that is loaded already.
std::filesystem::path cuda_library() { return folder_of_torch() / "libtorch_cuda.so"; }

bool load(const std::filesystem::path& library) {
  return ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr;
}

constexpr const char* without_device = "without `--device` the CPU is used";

} // namespace

void load_device(const std::string& device) {
  if (device != "cuda")
    throw Error(ErrorKind::no_device, "", "there is no device `" + device + "`",
                "choose cpu or cuda");
  if (!std::filesystem::exists(cuda_library()))
    throw Error(ErrorKind::no_device, "", "this torch was built without CUDA",
                std::string("install one that was built with it; ") + without_device);
  if (load(cuda_library())) return;
  const char* words = ::dlerror();
  throw Error(ErrorKind::no_device, "",
              std::string("CUDA's part of torch cannot be loaded: ") +
                  (words != nullptr ? words : "unknown reason"),
              without_device);
}

void load_cuda_if_there() { load(cuda_library()); }

void require_device(const std::string& device) {
  if (at::globalContext().hasCUDA()) return;
  throw Error(ErrorKind::no_device, "", "torch finds no GPU for `--device " + device + "`",
              std::string("it needs an NVIDIA GPU and a driver that this torch's CUDA takes; ") +
                  without_device);
}

torch::jit::Module on_device(const torch::jit::Module& module, const std::string& device) {
  if (device == "cpu") return module;
  name_gpu(module);
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
