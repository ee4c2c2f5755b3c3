#pragma once

#include "verify/backends/onnx_narrowed.h"
#include "verify/command/model_runners.h"
#include "verify/command/moved_model.h"
#include "verify/command/run_model.h"
#include "verify/localize/reference_run.h"

#include <functional>
#include <memory>
#include <set>

// What is done in the processes that run models.
namespace model_validator::verify {

/// Makes copies of a reference of ONNX that round as the candidate does.
class NarrowedOnnx {
public:
  NarrowedOnnx(const ComparedPair& pair, const ModelFile& model);
  SharedOnnxModel make(const Narrowing& narrowing, std::uint64_t seed) const;

private:
  SharedOnnxModel model_;
  std::set<std::string> float_values_;
  SteppedNames in_whole_numbers_; ///< in the candidate
};

/// Answers what is asked of one model.
class ModelWork {
public:
  /// @param folder  takes the results, and temporary files
  ModelWork(const ComparedPair& pair, Side side, std::filesystem::path folder)
      : pair_(pair), side_(side), folder_(std::move(folder)) {}

  void answer(const RunRequest& request);

private:
  /// What is done to a model and to its arguments before it runs.
  using Change = std::function<void(ModelFile&, Arguments&)>;

  void remove_results() const;
  const ModelFile& declared() const;
  const ModelFile& opened();
  bool has_own_inputs() const { return side_ == Side::candidate && pair_.candidate_inputs; }
  const std::vector<Sample>& samples() const;
  const std::vector<InputNeed>& needs() const;
  bool takes_state() const;
  const ModelFile& typed();
  NextCall continued(const ModelFile& typed) const;
  NextCall next_call(const ModelFile& typed) const;
  void leave_outputs(RunResults& results) const;

  RunResults run(RunKind kind, std::uint64_t seed);
  RunResults run_as_it_is();
  RunResults run_perturbed(std::uint64_t seed);
  RunResults run_narrowed(const Narrowing& narrowing, std::uint64_t seed);
  RunResults run_candidate_rewritten(const std::function<void(ModelFile&)>& rewrite);
  RunResults run_by(const std::string& backend, const BackendOptions& options,
                    std::optional<std::size_t> steps, const Change& change = {});
  RunResults run_interpreted(const MakeExecution& execution);
  template <class T> void leave_value(T value) const;

  ComparedPair pair_;
  Side side_;
  std::filesystem::path folder_;
  std::optional<ModelFile> opened_, typed_;
  std::optional<NarrowedOnnx> narrowed_;
};

/// The names of the inputs of a side.
const std::vector<std::string>& names_of_inputs(const ComparedPair& pair, Side side);

/// In a process of its own, before anything is computed there.
void limit_threads(const VerifyRequest& request);

/// The candidate as its file says: kernels of this machine may lose some of it. With
/// `--judge machine`, as it runs here.
ModelFile judged_candidate(const ComparedPair& pair);

/// Runs a file of ONNX, or of OpenVINO, with its inputs, op by op.
ShowRun shown_onnx(const ComparedPair& pair, const ModelFile& model,
                   const std::vector<c10::IValue>& inputs);

/// Weights that are not the reference's, rounded.
enum class Misfits : bool { replaced, left };

/// The model becomes a copy that rounds nothing, with the reference's weights.
/// @param seed  0: weights that the reference does not have are as the file has them; else they are
///     moved by up to half a step, at random
UnroundedWeights unround(const ComparedPair& pair, ModelFile& model, Misfits misfits,
                         std::uint64_t seed = 0);

} // namespace model_validator::verify
