#pragma once

#include <model_validator/graph_reader.h>
#include <model_validator/partition/partitionable_model.h>
#include <model_validator/trace.h>
#include <model_validator/verify/inference.h>
#include <model_validator/verify/inputs.h>
#include <model_validator/verify/probe.h>
#include <model_validator/verify/reduce.h>
#include <model_validator/verify/request.h>

#include <filesystem>
#include <memory>
#include <string_view>

namespace model_validator::verify {

/// The code that runs models, as seen by a program that does not link LibTorch: the functions of
/// the shared library, which is loaded when it is needed.
struct Library {
  VerifyResult (*run)(const VerifyRequest& request);
  ValueRange (*parse_range)(std::string_view text);
  InferenceFunction (*make_inference_function)(const std::filesystem::path& file,
                                               const ReadOptions& options);
  /// Opens a TorchScript or torch.export file that will be divided.
  std::unique_ptr<partition::PartitionableModel> (*open_partitionable)(
      const std::filesystem::path& file, const partition::OpenOptions& options);
  TracedGraph (*trace)(const std::filesystem::path& file, const TraceOptions& trace,
                       const ReadOptions& options);
  ReduceResult (*reduce)(const ReduceRequest& request);
  ProbeResult (*probe)(const ProbeRequest& request);
  std::string (*backend_for_target)(std::string_view target);
};

/// A model as a function, with its weights. @throws Error (`not-runnable`, `backend-missing`, and
/// those of the readers)
InferenceFunction make_inference_function(const std::filesystem::path& file,
                                          const ReadOptions& options);

/// The library, which is next to the core.
inline constexpr const char* library_file = "libmodel_validator_verify.so";
/// The symbol of the library that returns them, of type `LibraryFunction`.
inline constexpr const char* library_symbol = "model_validator_verify_library";
using LibraryFunction = const Library* (*)();

} // namespace model_validator::verify
