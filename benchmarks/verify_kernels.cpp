// Prints the cost of measuring a pair of tensors, against reading both once with LibTorch's sum.
//
//     verify_kernels [ELEMENTS]
#include <model_validator/verify/metrics.h>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

using namespace model_validator::verify;

namespace {

/// Two workloads, run alternately; the fastest round of each counts.
struct Race {
  double first = std::numeric_limits<double>::infinity();
  double second = std::numeric_limits<double>::infinity();

  Race(const std::function<void()>& one, const std::function<void()>& other) {
    constexpr int rounds = 15;
    for (int round = 0; round < rounds; ++round) {
      first = std::min(first, seconds(one));
      second = std::min(second, seconds(other));
    }
  }

  static double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

TensorView view(const at::Tensor& tensor, DType dtype) {
  return {tensor.const_data_ptr(), dtype, tensor.sizes().vec(), tensor.strides().vec()};
}

void race(const char* what, const at::Tensor& a, const at::Tensor& b, DType dtype) {
  MetricOptions options;
  options.closeness = {{}}; // one rule, as checkers ask for
  options.threads = static_cast<unsigned>(at::get_num_threads());
  double kept = 0;
  const Race race([&] { kept += measure(view(a, dtype), view(b, dtype), options).max_abs; },
                  [&] { kept += (a.sum() + b.sum()).to(at::kDouble).item<double>(); });
  const auto gigabytes = 1e-9 * 2 * static_cast<double>(a.nbytes());
  std::printf(
      "all metrics of %.0e %s pairs / a.sum() + b.sum(): %.1f ms / %.1f ms = %.2f (aim <= 3)"
      ", %.1f GB/s / %.1f GB/s\n",
      static_cast<double>(a.numel()), what, race.first * 1e3, race.second * 1e3,
      race.first / race.second, gigabytes / race.first, gigabytes / race.second);
  if (std::isnan(kept)) std::abort(); // so that nothing is optimised away
}

} // namespace

int main(int argc, char** argv) {
  const std::int64_t elements = argc > 1 ? std::atoll(argv[1]) : 100'000'000;
  at::manual_seed(1);
  const at::Tensor a = at::randn({elements}), b = a + 1e-6 * at::randn({elements});
  race("float32", a, b, DType::float32);
  const Race closeness([&] { measure(view(a, DType::float32), view(b, DType::float32)); },
                       [&] { at::allclose(a, b, 1e-5, 1e-3); });
  std::printf("the same / at::allclose alone: %.1f ms / %.1f ms = %.2f\n", closeness.first * 1e3,
              closeness.second * 1e3, closeness.first / closeness.second);
  const std::int64_t half = elements / 2;
  race("float64", a.narrow(0, 0, half).to(at::kDouble), b.narrow(0, 0, half).to(at::kDouble),
       DType::float64);
  race("float16", a.to(at::kHalf), b.to(at::kHalf), DType::float16);
  race("bfloat16", a.to(at::kBFloat16), b.to(at::kBFloat16), DType::bfloat16);
  race("int64", a.narrow(0, 0, half).to(at::kLong), b.narrow(0, 0, half).to(at::kLong),
       DType::int64);
}
