// Runs the interpreter over model files in all its modes and says how each compares with a plain
// run: `interpreter_sweep MODEL.pt INPUTS.pt …`, one line of figures a model.
#include "verify/run/tensor_tree.h"

#include <model_validator/verify/interpreter.h>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <cstdio>
#include <fstream>
#include <iterator>

namespace {

using namespace model_validator::verify;
using Clock = std::chrono::steady_clock;
using TypesAndShapes = std::vector<std::pair<c10::ScalarType, std::vector<std::int64_t>>>;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

TypesAndShapes describe(const std::vector<c10::IValue>& values) {
  TypesAndShapes result;
  for (const auto& value : values)
    for_each_tensor(value, [&](const at::Tensor& tensor) {
      result.emplace_back(tensor.scalar_type(), tensor.sizes().vec());
    });
  return result;
}

struct Recorder final : RunObserver {
  std::vector<std::pair<const torch::jit::Node*, TypesAndShapes>> steps;
  void on_step(const Step& step) override {
    steps.emplace_back(&step.node, describe(step.outputs));
  }
};

std::vector<c10::IValue> read_inputs(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), {});
  const auto value = torch::jit::pickle_load(bytes);
  return value.isTuple() ? value.toTupleRef().elements().vec() : value.toListRef().vec();
}

std::vector<at::Tensor> tensors_of(const c10::IValue& value) {
  std::vector<at::Tensor> result;
  for_each_tensor(value, [&](const at::Tensor& tensor) { result.push_back(tensor); });
  return result;
}

bool identical(const c10::IValue& left, const c10::IValue& right) {
  const auto a = tensors_of(left), b = tensors_of(right);
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].scalar_type() != b[i].scalar_type() || !a[i].sizes().equals(b[i].sizes()) ||
        !(a[i].eq(b[i]) | (a[i].ne(a[i]) & b[i].ne(b[i]))).all().item<bool>())
      return false;
  return true;
}

double noise(const c10::IValue& narrow, const c10::IValue& wide) {
  const auto a = tensors_of(narrow), b = tensors_of(wide);
  double worst = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (!a[i].is_floating_point() || a[i].numel() == 0) continue;
    const auto scale = std::max(b[i].abs().max().item<double>(), 1e-30);
    worst = std::max(
        worst, (a[i].to(at::kDouble) - b[i].to(at::kDouble)).abs().max().item<double>() / scale);
  }
  return worst;
}

std::vector<c10::IValue> clone(const std::vector<c10::IValue>& values) {
  std::vector<c10::IValue> result;
  for (const auto& value : values) result.push_back(clone_tensors(value));
  return result;
}

void sweep(const std::string& model, const std::string& inputs_file) {
  const c10::NoGradGuard no_gradients;
  const auto inputs = read_inputs(inputs_file);
  auto load = [&] { return torch::jit::load(model); };
  auto plain = load();
  const auto expected = plain.forward(clone(inputs));
  plain.forward(clone(inputs));
  auto start = Clock::now();
  plain.forward(clone(inputs));
  const double plain_ms = milliseconds_since(start);

  Recorder real;
  auto module = load();
  Interpreter interpreter(module);
  const auto got = interpreter.run(clone(inputs), &real);
  start = Clock::now();
  Recorder again;
  interpreter.run(clone(inputs), &again);
  const double observed_ms = milliseconds_since(start);
  std::printf("%s same %d plain %.0f observed %.0f steps %zu", model.c_str(),
              identical(expected, got), plain_ms, observed_ms, real.steps.size());
  std::fflush(stdout);
  Recorder shapes;
  try {
    auto shape_module = load();
    start = Clock::now();
    Interpreter(shape_module, RunMode::shapes).run(clone(inputs), &shapes);
    std::size_t wrong = 0, index = 0;
    for (; index < real.steps.size() && index < shapes.steps.size(); ++index)
      if (real.steps[index].second != shapes.steps[index].second) {
        if (wrong++ == 0) {
          std::printf(" [first wrong: %s", real.steps[index].first->kind().toQualString());
          for (const auto& [t, s] : real.steps[index].second) {
            std::printf(" %s(", c10::toString(t));
            for (auto d : s) std::printf("%ld,", d);
            std::printf(")");
          }
          std::printf(" vs");
          for (const auto& [t, s] : shapes.steps[index].second) {
            std::printf(" %s(", c10::toString(t));
            for (auto d : s) std::printf("%ld,", d);
            std::printf(")");
          }
          std::printf("]");
        }
      }
    std::printf(" shapes %d wrong %zu in %.0f ms",
                wrong == 0 && real.steps.size() == shapes.steps.size(), wrong,
                milliseconds_since(start));
  } catch (const std::exception& failure) {
    std::printf(" shapes 0 after %zu (%s)", shapes.steps.size(), failure.what());
  }
  std::fflush(stdout);
  try {
    auto wide_module = load();
    std::printf(" noise %.2g\n",
                noise(got, Interpreter(wide_module, RunMode::float64).run(clone(inputs))));
  } catch (const std::exception& failure) {
    std::printf(" float64 failed (%s)\n", failure.what());
  }
}

} // namespace

int main(int count, char** arguments) {
  for (int i = 1; i + 1 < count; i += 2) try {
      sweep(arguments[i], arguments[i + 1]);
    } catch (const std::exception& failure) {
      std::printf("%s FAILED %s\n", arguments[i], failure.what());
    }
}
