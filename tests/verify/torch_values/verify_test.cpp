#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

using namespace model_validator::verify;

namespace {

c10::IValue add(std::vector<c10::IValue> inputs) {
  return inputs.at(0).toTensor() + inputs.at(1).toTensor();
}

c10::IValue add_in_place(std::vector<c10::IValue> inputs) {
  return inputs.at(0).toTensor().add_(inputs.at(1).toTensor());
}

c10::IValue subtract(std::vector<c10::IValue> inputs) {
  return inputs.at(0).toTensor() - inputs.at(1).toTensor();
}

std::vector<c10::IValue> two_inputs() {
  at::manual_seed(5);
  return {at::rand({2, 32, 32}), at::rand({2, 32, 32})};
}

} // namespace

TEST_CASE("a model that computes the same passes, though it writes into its inputs") {
  const auto inputs = two_inputs();
  const at::Tensor before = inputs[0].toTensor().clone();
  const VerifyOutcome outcome = verify(inputs, add, add_in_place);
  CHECK(outcome.report.passed());
  CHECK(inputs[0].toTensor().equal(before));
  CHECK(outcome.compiled_output.toTensor().equal(outcome.framework_output.toTensor()));
  CHECK_NOTHROW(verify_or_throw(inputs, add, add_in_place));
}

TEST_CASE("a model that computes something else throws TT-Forge's message") {
  CHECK_FALSE(verify(two_inputs(), add, subtract).report.passed());
  CHECK_THROWS_WITH(
      verify_or_throw(two_inputs(), add, subtract),
      Catch::StartsWith("Data mismatch -> AutomaticValueChecker (compare_with_golden): "
                        "framework_model=tensor(["));
}

TEST_CASE("switched off, both still run and nothing is compared") {
  VerifyConfig config;
  config.enabled = false;
  const VerifyOutcome outcome = verify_or_throw(two_inputs(), add, subtract, config);
  CHECK(outcome.report.outputs.empty());
  CHECK(outcome.compiled_output.isTensor());
  CHECK(outcome.framework_output.isTensor());
}

TEST_CASE("one tensor that is given twice stays one in the clones") {
  const at::Tensor shared = at::ones({2});
  const auto clones = clone_inputs({shared, shared});
  CHECK(clones[0].toTensor().is_same(clones[1].toTensor()));
  CHECK_FALSE(clones[0].toTensor().is_same(shared));
}

TEST_CASE("figures agree with LibTorch's own") {
  at::manual_seed(9);
  const at::Tensor a = at::randn({3, 50, 7}), b = a + 1e-3 * at::randn({3, 50, 7});
  MetricOptions options;
  options.closeness = {{1e-3, 1e-4, Denominator::candidate}};
  const Tensor x = to_tensor(a), y = to_tensor(b);
  const Metrics metrics = measure(x.view, y.view, options);
  const at::Tensor da = a.to(at::kDouble).flatten(), db = b.to(at::kDouble).flatten();
  CHECK(*metrics.pcc == Approx(at::corrcoef(at::stack({da, db}))[0][1].item<double>()));
  CHECK(metrics.max_abs == (da - db).abs().max().item<double>());
  CHECK(metrics.violations[0] == (~at::isclose(da, db, 1e-3, 1e-4)).sum().item<std::int64_t>());
  CHECK(metrics.cosine.value() == Approx(at::cosine_similarity(da, db, 0).item<double>()));
}
