// The cost of watching a model run node by node: for each model, `observe_models MODEL.pt INPUTS.pt
// …` prints the time of a plain LibTorch run, of a watched run, and their ratio. The runs
// alternate, and the times are processor time of one thread, which a busy machine changes little.
#include "verify/run/tensor_tree.h"

#include <model_validator/verify/interpreter.h>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>

namespace {

using namespace model_validator::verify;
using Inputs = std::vector<c10::IValue>;

constexpr int rounds = 7;

/// Looks at every tensor, as a trace does.
class Watcher final : public RunObserver {
public:
  void on_step(const Step& step) override {
    for (const auto& output : step.outputs)
      for_each_tensor(output, [this](const at::Tensor& tensor) { dimensions += tensor.dim(); });
  }
  std::int64_t dimensions = 0;
};

Inputs read_inputs(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), {});
  const auto value = torch::jit::pickle_load(bytes);
  return value.isTuple() ? value.toTupleRef().elements().vec() : value.toListRef().vec();
}

Inputs copies_of(const Inputs& inputs) {
  Inputs copies;
  for (const auto& input : inputs) copies.push_back(clone_tensors(input));
  return copies;
}

template <class Work> double milliseconds(Work&& work) {
  const std::clock_t start = std::clock();
  work();
  return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void measure(const char* model, const char* inputs_file) {
  const Inputs inputs = read_inputs(inputs_file);
  auto plain = torch::jit::load(model);
  Interpreter interpreter(torch::jit::load(model));
  Watcher watcher;
  std::vector<double> plain_times, watched_times;
  for (int round = -2; round < rounds; ++round) { // LibTorch optimises in its first two runs
    Inputs given = copies_of(inputs);
    const double plain_time = milliseconds([&] { plain.forward(given); });
    given = copies_of(inputs);
    const double watched = milliseconds([&] { interpreter.run(given, &watcher); });
    if (round < 0) continue;
    plain_times.push_back(plain_time);
    watched_times.push_back(watched);
  }
  const double whole = median(plain_times), observed = median(watched_times);
  std::printf("%s: plain %.1f ms, watched %.1f ms, ratio %.2f\n", model, whole, observed,
              observed / whole);
}

} // namespace

int main(int count, char** arguments) {
  const c10::NoGradGuard no_gradients;
  at::set_num_threads(1);
  for (int i = 1; i + 1 < count; i += 2) try {
      measure(arguments[i], arguments[i + 1]);
    } catch (const std::exception& failure) {
      std::printf("%s: %s\n", arguments[i], failure.what());
    }
}
