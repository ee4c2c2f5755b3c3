#include "script.h"
#include "verify/run/fresh_copy.h"

#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

using namespace model_validator::verify;

namespace {

torch::jit::Module module_of(const std::string& body, const std::string& more = "") {
  torch::jit::Module module("__torch__.Net");
  module.register_parameter("weight", at::ones({2, 3}), false);
  module.register_parameter("bias", at::ones({2, 3}), false);
  module.define("def forward(self, x):\n  " + body + "\n" + more);
  return module;
}

std::size_t written(const std::string& body, const std::string& more = "") {
  const auto module = module_of(body, more);
  return module.parameters().size() - unwritten_parameters(module).size();
}

bool shares_weight(const torch::jit::Module& left, const torch::jit::Module& right) {
  return left.attr("weight").toTensor().is_same(right.attr("weight").toTensor());
}

} // namespace

TEST_CASE("a parameter is written into by an operator in place, through views and helpers too") {
  CHECK(written("self.weight.mul_(2)\n  return x") == 1);
  CHECK(written("self.weight[0] = x[0]\n  return x") == 1);
  CHECK(written("w = self.weight if bool(x.sum() > 0) else self.bias\n  w.add_(1)\n  return x") ==
        2);
  CHECK(written("w = self.weight\n  for i in range(3):\n    w = w.add_(1)\n  return x") == 1);
  CHECK(written("return self.bump(self.weight)", "def bump(self, t):\n  return t.add_(1)\n") == 1);
  CHECK(written("for w in [self.weight, self.bias]:\n    w.add_(1)\n  return x") == 2);
}

TEST_CASE("what is computed from a parameter is not the parameter") {
  CHECK(written("return (self.weight * x).add_(1)") == 0);
  CHECK(written("y = self.weight.clone()\n  y[0] = 1\n  return y") == 0);
  CHECK(written("return x.relu_() + self.weight") == 0);
}

TEST_CASE("a copy for one run shares the parameters that no run changes") {
  const auto plain = module_of("return x * self.weight");
  CHECK(shares_weight(plain, fresh_copy(plain)));
  const auto written_into = module_of("return self.weight.mul_(2)");
  const auto copy = fresh_copy(written_into);
  CHECK_FALSE(shares_weight(written_into, copy));
  CHECK(copy.attr("bias").toTensor().is_same(written_into.attr("bias").toTensor()));
  CHECK_FALSE(copy.attr("weight").toTensor().grad_fn());
}
