// Packages by which a repository shows what becomes of its models.
#include "cli/init/repository_survey.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

namespace model_validator::cli {
namespace {

constexpr auto& targets_of_packages =
    word_array<"apache-tvm=tvm coremltools=coreml executorch=executorch-xnnpack "
               "onnxruntime=onnxruntime openvino=openvino openvino-dev=openvino "
               "optimum-intel=openvino tensorrt=tensorrt tensorrt-rtx=tensorrt-rtx "
               "torch-tensorrt=tensorrt tvm=tvm">;

constexpr auto& targets_of_endings =
    word_array<".engine=tensorrt .mlmodel=coreml .pte=executorch-xnnpack .trt=tensorrt "
               ".xml=openvino">;

/// Those that quantise activations, and so ask for a module for each operation. What quantises
/// weights alone asks for nothing of the graph.
constexpr auto& quantisers =
    word_array<"aimet aimet-onnx aimet-torch amd-quark brevitas intel-neural-compressor "
               "mct-nightly model-compression-toolkit mqbench neural-compressor "
               "neural-compressor-pt nncf nvidia-modelopt onnx-neural-compressor "
               "optimum-quanto ppq pytorch-quantization torchao">;

} // namespace

std::string target_of_package(const std::string& package) {
  if (const auto target = paired_with(package, targets_of_packages); !target.empty())
    return std::string(target);
  if (package.starts_with("onnxruntime-")) return "onnxruntime"; // -gpu, -directml, -qnn, …
  if (package.starts_with("tensorrt-cu")) return "tensorrt";     // of one release of CUDA
  return {};
}

std::string target_of_file(const std::filesystem::path& file) {
  std::error_code failed;
  const std::filesystem::path weights = std::filesystem::path(file).replace_extension(".bin");
  if (file.extension() == ".xml" && !std::filesystem::is_regular_file(weights, failed)) return {};
  return std::string(paired_with(file.extension().string(), targets_of_endings));
}

bool quantises(const std::string& package) { return contains(quantisers, package); }

bool is_for_onnx(const std::string& package) {
  return contains(word_array<"onnx onnxscript onnxruntime">, package) ||
         package.starts_with("onnxruntime-");
}

} // namespace model_validator::cli
