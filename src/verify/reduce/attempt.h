#pragma once

#include "verify/command/model_runs.h"
#include "verify/inputs/npz.h"

#include <model_validator/verify/request.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace model_validator::verify {

/// What a runtime makes of a model.
enum class Answer : std::uint8_t {
  ran,
  refused, ///< when it was loaded
  failed,  ///< when it ran
  crashed,
  hung,
  differs ///< from the reference
};
/// `crashed`
const char* to_string(Answer answer);

struct Attempt {
  Answer answer = Answer::ran;
  std::string message; ///< what the runtime said
  NamedTensors outputs;
};

/// What runs a model.
struct AskedRuntime {
  std::string backend;  ///< `onnxruntime:CUDAExecutionProvider`; `command`
  std::string command;  ///< of that backend
  bool optimise = true; ///< false: every node runs as the file has it, where the runtime can
};
/// The runner of the reference's values.
inline AskedRuntime reference_runner() { return {"onnxruntime", "", false}; }

/// Loads and runs a file of ONNX in a process of its own.
/// @param request  threads, time, memory and confinement
/// @throws Error (`interrupted`), (`backend-missing`), and those of a command without placeholders
Attempt try_model(const VerifyRequest& request, const AskedRuntime& runner,
                  const std::filesystem::path& file, const NamedTensors& inputs);

/// Compares what the request names as candidate, or that file, with the reference's results.
/// @returns `differs`, `ran`, or how else it ended @throws Error (`interrupted`)
Attempt compare_models(const VerifyRequest& request, const std::filesystem::path& file,
                       const std::filesystem::path& candidate, const NamedTensors& inputs);
/// Whether the values of a report differ, apart from what else may be wrong.
bool values_differ(const VerifyReport& report);

/// The release of what runs it; empty where that is not known.
std::string version_of(const VerifyRequest& request, const AskedRuntime& runner);

} // namespace model_validator::verify
