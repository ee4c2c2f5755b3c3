#pragma once

#include <model_validator/verify/verify.h>

#include <torch/csrc/jit/api/module.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

class OnnxModel;

/// What a backend compiles: a TorchScript module, or the file of another format.
struct BackendInput {
  std::optional<torch::jit::Module> module;
  std::filesystem::path file;
  std::vector<std::string> input_names; ///< one per input, in order
  std::shared_ptr<OnnxModel> onnx = {}; ///< what is run in place of the file's, if it is there
};

/// How it is compiled and run.
struct BackendOptions {
  unsigned threads = 0;       ///< 0: the backend's own choice
  std::string command;        ///< for the backend `command`, with `{inputs}` and `{outputs}`
  std::string device = "cpu"; ///< or `cuda`, for backends that LibTorch runs
  std::string provider;       ///< of ONNX Runtime: `CUDAExecutionProvider`; empty: the CPU's
  bool optimise = true;       ///< false: every op runs as the file has it, where the backend can
  /// Whether a call continues from the state that the previous call left; otherwise each starts
  /// from the state in the file.
  bool keep_state = false;
  std::vector<std::string> shown; ///< values of an ONNX file that are given after its outputs
  /// Receives what the user should know about how the model was compiled; may be empty.
  std::function<void(const std::string&)> note;
};

/// An intermediate tensor of a compiled model.
struct Intermediate {
  std::string name;                ///< the backend's own, the same in every run
  std::string op;                  ///< what computes it: `Conv`
  std::vector<std::string> inputs; ///< names of the intermediates it is computed from
  at::Tensor tensor;
  std::string node = {};         ///< what the file calls the op; empty: nothing
  bool reads_inputs = false;     ///< of the model, where the backend knows it
  std::string last_operand = {}; ///< where it is an intermediate, and the backend knows it
};

/// A run that is asked for more than its outputs.
struct IntermediateRun {
  /// Tensors that replace what the model computes, by name.
  std::map<std::string, at::Tensor> replaced;
  /// Which to show; none set: all. Unwanted ones cost no memory.
  std::function<bool(const std::string& name)> wanted;
  /// Receives each in turn, after those it is computed from. Tensors change later: reduce or copy.
  std::function<void(const Intermediate&)> visit;
  bool needs_outputs = true; ///< false: none are returned
  bool shows_own = false;    ///< of what is replaced, what the model would compute
  /// Receives the names of values that are no tensors of numbers, which are not shown.
  std::function<void(const std::string& name)> pass_over = {};
};

/// Turns a model into something that can be called.
class Backend {
public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  /// One sentence: what it does.
  virtual std::string summary() const = 0;
  /// @throws Error (`backend-missing`) naming the missing package, (`backend-refused`) when it
  /// cannot take the model
  virtual ModelFunction compile(const BackendInput& input,
                                const std::vector<c10::IValue>& example_inputs,
                                const BackendOptions& options) const = 0;
  /// Whether what it compiled once serves inputs of all sizes, and keeps no state.
  virtual bool is_reusable() const { return false; }
  /// Compiles and runs the model so that intermediates can be seen and replaced.
  /// @returns the model's outputs; nothing if the backend does not expose intermediates
  virtual std::optional<std::vector<at::Tensor>>
  run_intermediates(const BackendInput&, const std::vector<c10::IValue>& /*inputs*/,
                    const BackendOptions&, const IntermediateRun&) const {
    return std::nullopt;
  }
};

/// The backends that `--backend` can name.
class BackendRegistry {
public:
  static BackendRegistry builtin();
  /// @throws Error (`duplicate-backend`) when the name is taken
  void add(std::shared_ptr<const Backend> backend);
  /// @throws Error (`unknown-backend`) that lists the known names
  std::shared_ptr<const Backend> find(std::string_view name) const;
  const std::vector<std::shared_ptr<const Backend>>& backends() const noexcept { return backends_; }

private:
  std::vector<std::shared_ptr<const Backend>> backends_;
};

} // namespace model_validator::verify
