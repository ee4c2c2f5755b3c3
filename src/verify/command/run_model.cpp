#include "verify/command/run_model.h"

#include "verify/run/failure.h"
#include "verify/run/fresh_copy.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>
#include <model_validator/verify/interpreter.h>

#include <ATen/Functions.h>

namespace model_validator::verify {
namespace {

NamedTensors named_outputs(const c10::IValue& result) {
  NamedTensors outputs;
  for (const auto& [path, value] : flatten(to_value(result)))
    outputs.push_back({path.empty() ? "output" : path, as_tensor(value)});
  return outputs;
}

std::vector<at::Tensor> tensors_of(const std::vector<c10::IValue>& values) {
  std::vector<at::Tensor> tensors;
  for (const auto& value : values)
    for_each_tensor(value, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

/// Equal to the last bit, NaN equal to NaN.
bool identical(const at::Tensor& left, const at::Tensor& right) {
  if (left.scalar_type() != right.scalar_type() || !left.sizes().equals(right.sizes()))
    return false;
  if (!left.is_floating_point() && !left.is_complex()) return left.equal(right);
  return at::allclose(left, right, 0, 0, true);
}

bool identical(const std::vector<at::Tensor>& left, const std::vector<at::Tensor>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const auto& a, const auto& b) { return identical(a, b); });
}

std::string sample_name(std::size_t sample, std::size_t count) {
  return count == 1 ? "" : " for sample " + std::to_string(sample);
}

class Runner {
public:
  Runner(const ModelRun& run, std::size_t samples) : run_(run), samples_(samples) {}

  void run(const std::vector<c10::IValue>& sample, std::size_t index) {
    const auto registry = BackendRegistry::builtin();
    const auto backend = registry.find(run_.backend);
    auto compiled =
        backend->compile(run_.model->backend_input(run_.input_names), sample, run_.options);
    auto inputs = clone_inputs(sample);
    const auto first = compiled(inputs);
    const auto first_tensors = tensors_of({clone_tensors(first)});
    note_changed_inputs(sample, inputs, index);
    results.samples.push_back(named_outputs(clone_tensors(first)));
    const auto second = compiled(clone_inputs(sample));
    if (!identical(first_tensors, tensors_of({second})))
      results.incidents.push_back({"not-deterministic",
                                   "a second run gave other results" + sample_name(index, samples_),
                                   "", false});
  }

  RunResults results;

private:
  void note_changed_inputs(const std::vector<c10::IValue>& before,
                           const std::vector<c10::IValue>& after, std::size_t index) {
    const auto left = tensors_of(before), right = tensors_of(after);
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i)
      if (!identical(left[i], right[i]))
        results.incidents.push_back(
            {"inputs-changed",
             "input " + std::to_string(i) + " was written into" + sample_name(index, samples_), "",
             true});
  }

  const ModelRun& run_;
  std::size_t samples_;
};

} // namespace

RunResults run_model(const ModelRun& run, const std::vector<std::vector<c10::IValue>>& samples) {
  Runner runner(run, samples.size());
  try {
    for (std::size_t i = 0; i < samples.size(); ++i) runner.run(samples[i], i);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {
    throw Error("run-failed", "", sentence_of(failure));
  }
  return std::move(runner.results);
}

RunResults run_in_float64(const torch::jit::Module& module,
                          const std::vector<std::vector<c10::IValue>>& samples) {
  RunResults results;
  for (const auto& sample : samples)
    results.samples.push_back(
        named_outputs(Interpreter(fresh_copy(module), RunMode::float64).run(clone_inputs(sample))));
  return results;
}

} // namespace model_validator::verify
