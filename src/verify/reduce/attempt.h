#pragma once

#include "verify/command/model_runs.h"
#include "verify/inputs/npz.h"

#include <model_validator/verify/request.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
std::optional<Answer> answer_named(std::string_view word);

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
/// What runs the candidate that a request names.
AskedRuntime runner_of(const VerifyRequest& request);
/// The runner of the reference's values.
inline AskedRuntime reference_runner() { return {"onnxruntime", "", false}; }

/// A file of ONNX, and what it is run with.
struct ModelToTry {
  std::filesystem::path file;
  const NamedTensors& inputs;
};

/// Loads and runs models in a few processes, so that whatever one does ends none of the others.
/// @param request  threads, time of each, memory and confinement
/// @param jobs  processes at once
/// @throws Error (`interrupted`), (`backend-missing`), and those of a command without placeholders
std::vector<Attempt> try_models(const VerifyRequest& request, const AskedRuntime& runner,
                                const std::vector<ModelToTry>& models, std::size_t jobs);
/// The same of one.
Attempt try_model(const VerifyRequest& request, const AskedRuntime& runner,
                  const std::filesystem::path& file, const NamedTensors& inputs);

/// What a model's results should be.
struct ExpectedRun {
  Attempt run;
  AskedRuntime runner;
};
/// By ONNX Runtime without optimisations or, where that does not run it, by ONNX's own evaluator.
ExpectedRun run_by_reference(const VerifyRequest& request, const std::filesystem::path& file,
                             const NamedTensors& inputs);

/// Whether they are so near each other that no rule of `verify` can call them different.
bool are_as_good_as_equal(const NamedTensors& expected, const NamedTensors& came);

/// Compares what the request names as candidate, or that file, with the reference's results.
/// @returns `differs`, `ran`, or how else it ended @throws Error (`interrupted`)
Attempt compare_models(const VerifyRequest& request, const std::filesystem::path& file,
                       const std::filesystem::path& candidate, const NamedTensors& inputs);
/// Whether the values of a report differ, apart from what else may be wrong.
bool values_differ(const VerifyReport& report);

/// The release of what runs it; empty where that is not known.
std::string version_of(const VerifyRequest& request, const AskedRuntime& runner);

} // namespace model_validator::verify
