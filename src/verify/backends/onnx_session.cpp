#include "verify/backends/onnx_session.h"

#include "text/lists.h"
#include "verify/backends/onnx_types.h"
#include "verify/backends/runtime_message.h"
#include "verify/backends/shared_library.h"
#include "verify/inputs/strided_copy.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>

#include <cstdlib>
#include <memory>

#define ORT_API_MANUAL_INIT // the library is loaded when the first session is opened
#include <onnxruntime_cxx_api.h>

namespace model_validator::verify {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> library_candidates() {
  const char* chosen = std::getenv("MODEL_VALIDATOR_ONNXRUNTIME"); // NOLINT(concurrency-mt-unsafe)
  std::vector<fs::path> candidates{chosen != nullptr ? chosen : "", MODEL_VALIDATOR_ONNXRUNTIME};
  for (const fs::path& file : python_package_files("onnxruntime/capi", "libonnxruntime.so.1"))
    candidates.push_back(file);
  candidates.insert(candidates.end(), {"libonnxruntime.so.1", "libonnxruntime.so"});
  return candidates;
}

/// The library that was loaded.
struct Runtime {
  std::string version;
  Ort::Env environment;
};

/// @returns its version
std::string load_runtime() {
  std::string why;
  const auto library = SharedLibrary::open(library_candidates(), why);
  if (!library)
    throw Error(ErrorKind::backend_missing, "", "ONNX Runtime cannot be loaded: " + why,
                "install the Python package onnxruntime, or point MODEL_VALIDATOR_ONNXRUNTIME at "
                "libonnxruntime.so");
  using GetBase = const OrtApiBase* (*)();
  const auto get_base = reinterpret_cast<GetBase>(library->symbol("OrtGetApiBase"));
  const OrtApi* api = get_base != nullptr ? get_base()->GetApi(ORT_API_VERSION) : nullptr;
  if (api == nullptr)
    throw Error(ErrorKind::backend_missing, "", "the ONNX Runtime found is too old",
                "install a newer Python package onnxruntime");
  Ort::InitApi(api);
  return get_base()->GetVersionString();
}

Runtime& runtime() {
  static Runtime loaded = [] {
    std::string version = load_runtime();
    // What it would log about a failure comes as an exception.
    return Runtime{std::move(version), Ort::Env(ORT_LOGGING_LEVEL_FATAL, "model_validator")};
  }();
  return loaded;
}

InputPort port(std::string name, const Ort::TypeInfo& type) {
  InputPort result{std::move(name), std::nullopt, {}};
  if (type.GetONNXType() != ONNX_TYPE_TENSOR) return result;
  const auto tensor = type.GetTensorTypeAndShapeInfo();
  result.dtype = dtype_of_onnx(tensor.GetElementType());
  result.shape = tensor.GetShape();
  return result;
}

/// Of the same memory.
Ort::Value to_ort(const Tensor& tensor) {
  const auto count = static_cast<std::size_t>(element_count(tensor.view));
  return Ort::Value::CreateTensor(
      Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault),
      const_cast<void*>(tensor.view.data), // inputs and weights are only read
      count * element_size(tensor.view.dtype), tensor.view.shape.data(), tensor.view.shape.size(),
      static_cast<ONNXTensorElementDataType>(onnx_type_of(tensor.view.dtype)));
}

void add_weights(Ort::SessionOptions& options, const NamedTensors& weights) {
  std::vector<std::string> names;
  std::vector<Ort::Value> values;
  for (const auto& [name, tensor] : weights) {
    names.push_back(name);
    values.push_back(to_ort(tensor));
  }
  if (!names.empty()) options.AddExternalInitializers(names, values);
}

/// A list may be empty, and then says nothing of its elements.
bool holds_maps(const Ort::Value& value) {
  const Ort::AllocatorWithDefaultOptions allocator;
  const ONNXType type = value.GetTypeInfo().GetONNXType();
  return type == ONNX_TYPE_MAP ||
         (type == ONNX_TYPE_SEQUENCE && value.GetCount() > 0 &&
          value.GetValue(0, allocator).GetTypeInfo().GetONNXType() == ONNX_TYPE_MAP);
}

Error not_compared(const std::string& name, const Ort::Value& value) {
  const std::string output = "the output `" + name + "` is ";
  if (value.IsTensor())
    return {ErrorKind::unsupported_value, "", output + "text, which is not compared",
            "export labels that are numbers"};
  if (holds_maps(value))
    return {ErrorKind::unsupported_value, "", output + "made of maps, which are not compared",
            "export a classifier of scikit-learn with `options={\"zipmap\": False}`: its "
            "probabilities are then one tensor"};
  return {ErrorKind::unsupported_value, "", output + "a list, which is not compared",
          "export a model that returns the tensors in it, each as an output"};
}

Tensor from_ort(const std::string& name, Ort::Value value) {
  const auto info =
      value.IsTensor() ? std::optional(value.GetTensorTypeAndShapeInfo()) : std::nullopt;
  const auto dtype = info ? dtype_of_onnx(info->GetElementType()) : std::nullopt;
  if (!dtype) throw not_compared(name, value);
  auto owner = std::make_shared<Ort::Value>(std::move(value));
  return {contiguous_view(owner->GetTensorRawData(), *dtype, info->GetShape()), owner};
}

void append_provider(Ort::SessionOptions& options, const std::string& provider) {
  const OrtApi& api = Ort::GetApi();
  if (provider == "CUDAExecutionProvider") {
    OrtCUDAProviderOptionsV2* made = nullptr;
    Ort::ThrowOnError(api.CreateCUDAProviderOptions(&made));
    const std::unique_ptr<OrtCUDAProviderOptionsV2, decltype(api.ReleaseCUDAProviderOptions)> cuda(
        made, api.ReleaseCUDAProviderOptions);
    // Setting an option loads the provider, and says which library it lacks; appending it does not.
    const char *name = "use_tf32", *value = "0";
    Ort::ThrowOnError(api.UpdateCUDAProviderOptions(cuda.get(), &name, &value, 1));
    options.AppendExecutionProvider_CUDA_V2(*cuda);
  } else if (provider == "TensorrtExecutionProvider") {
    OrtTensorRTProviderOptionsV2* made = nullptr;
    Ort::ThrowOnError(api.CreateTensorRTProviderOptions(&made));
    const std::unique_ptr<OrtTensorRTProviderOptionsV2,
                          decltype(api.ReleaseTensorRTProviderOptions)>
        tensorrt(made, api.ReleaseTensorRTProviderOptions);
    options.AppendExecutionProvider_TensorRT_V2(*tensorrt);
  } else if (provider != "CPUExecutionProvider") {
    const std::string ending = "ExecutionProvider";
    options.AppendExecutionProvider(
        provider.substr(0, provider.size() - std::min(provider.size(), ending.size())));
  }
}

/// @throws Error (`backend-missing`) where the library found has no such provider, or one that
/// cannot be loaded
void use_provider(Ort::SessionOptions& options, const std::string& provider) {
  const auto providers = Ort::GetAvailableProviders();
  if (!contains(providers, provider))
    throw Error(ErrorKind::backend_missing, "",
                "this ONNX Runtime has no provider `" + provider + "`; it has " +
                    list_in_words(providers),
                "the Python package onnxruntime-gpu has those of NVIDIA's GPUs");
  try {
    append_provider(options, provider);
  } catch (const Ort::Exception& failure) {
    throw Error(ErrorKind::backend_missing, "",
                "ONNX Runtime cannot load `" + provider + "`: " + runtime_message(failure.what()));
  }
}

class Session {
public:
  Session(const fs::path& file, const OnnxSessionOptions& options)
      : weights_(options.at_hand), session_(open(file, options)) {
    const Ort::AllocatorWithDefaultOptions allocator;
    for (std::size_t i = 0; i < session_.GetInputCount(); ++i)
      inputs_.push_back(
          port(session_.GetInputNameAllocated(i, allocator).get(), session_.GetInputTypeInfo(i)));
    for (std::size_t i = 0; i < session_.GetOutputCount(); ++i)
      outputs_.push_back(
          port(session_.GetOutputNameAllocated(i, allocator).get(), session_.GetOutputTypeInfo(i)));
  }

  const std::vector<InputPort>& inputs() const { return inputs_; }
  const std::vector<InputPort>& outputs() const { return outputs_; }

  NamedTensors run(const NamedTensors& given) {
    for (const InputPort& input : inputs_)
      if (!input.dtype)
        throw Error(ErrorKind::unsupported_value, "",
                    "the input `" + input.name + "` takes no tensor of numbers",
                    "verify the model from where its text has become numbers");
    std::vector<const char*> input_names, output_names;
    std::vector<Ort::Value> values;
    NamedTensors dense;
    for (const auto& [name, tensor] : given) dense.push_back({name, row_major(tensor)});
    for (const auto& input : inputs_) input_names.push_back(input.name.c_str());
    for (const auto& output : outputs_) output_names.push_back(output.name.c_str());
    try {
      for (const auto& [name, tensor] : dense) values.push_back(to_ort(tensor));
      auto results = session_.Run(Ort::RunOptions{}, input_names.data(), values.data(),
                                  values.size(), output_names.data(), output_names.size());
      NamedTensors outputs;
      for (std::size_t i = 0; i < results.size(); ++i)
        outputs.push_back({outputs_[i].name, from_ort(outputs_[i].name, std::move(results[i]))});
      return outputs;
    } catch (const Ort::Exception& failure) {
      throw Error(ErrorKind::run_failed, "",
                  "ONNX Runtime failed: " + runtime_message(failure.what()));
    }
  }

private:
  static bool loads_as_it_is(const fs::path& file, const OnnxSessionOptions& options) {
    try {
      open_as_it_is(file, options);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  [[noreturn]] static void refuse(const fs::path& file, const OnnxSessionOptions& options,
                                  const std::string& said) {
    if (options.optimise && loads_as_it_is(file, options))
      throw Error(ErrorKind::backend_refused, file.string(),
                  "ONNX Runtime's own optimisations make a graph of the model that it refuses: " +
                      said,
                  "the file is not at fault, it loads without optimisations: set "
                  "`SessionOptions.graph_optimization_level` to `ORT_DISABLE_ALL`, or try another "
                  "release of ONNX Runtime");
    throw Error(ErrorKind::backend_refused, file.string(),
                "ONNX Runtime cannot take the model: " + said);
  }

  static Ort::Session open(const fs::path& file, const OnnxSessionOptions& options) {
    auto& env = runtime().environment;
    Ort::SessionOptions session_options;
    // Threads that wait for work would else spin, beside the other backends' threads.
    session_options.AddConfigEntry("session.intra_op.allow_spinning", "0");
    if (options.threads != 0)
      session_options.SetIntraOpNumThreads(static_cast<int>(options.threads));
    if (!options.optimise) session_options.SetGraphOptimizationLevel(ORT_DISABLE_ALL);
    if (!options.provider.empty()) use_provider(session_options, options.provider);
    try {
      if (options.model.empty()) return {env, file.c_str(), session_options};
      session_options.AddConfigEntry("session.model_external_initializers_file_folder_path",
                                     fs::absolute(file).parent_path().c_str());
      add_weights(session_options, options.at_hand);
      return {env, options.model.data(), options.model.size(), session_options};
    } catch (const Ort::Exception& failure) {
      if (!options.model.empty() && options.optimise) return open_as_it_is(file, options);
      refuse(file, options, runtime_message(failure.what()));
    }
  }

  /// A model that was made here is no candidate: what optimisations make of it is nobody's fault.
  static Ort::Session open_as_it_is(const fs::path& file, OnnxSessionOptions options) {
    options.optimise = false;
    return open(file, options);
  }

  NamedTensors weights_; ///< which the session may read
  Ort::Session session_;
  std::vector<InputPort> inputs_, outputs_;
};

} // namespace

OnnxSession open_onnx(const fs::path& file, const OnnxSessionOptions& options) {
  const auto session = std::make_shared<Session>(file, options);
  return {session->inputs(), session->outputs(),
          [session](const NamedTensors& given) { return session->run(given); }};
}

std::string onnxruntime_version() { return runtime().version; }

} // namespace model_validator::verify
