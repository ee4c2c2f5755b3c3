#include "run/script.h"
#include "verify/run/forks.h"

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator::verify;

namespace {

std::vector<Fork> met(const std::string& source, const std::vector<at::Tensor>& inputs) {
  torch::jit::Module module = scripted(source);
  return forks_met(module, {inputs.begin(), inputs.end()});
}

bool went(const std::vector<Fork>& forks, const std::string& op, int way) {
  return std::ranges::any_of(forks, [&](const Fork& fork) {
    return fork.name.find("`" + op + "`") == 0 && fork.taken[way];
  });
}

} // namespace

TEST_CASE("a branch that sizes decide is met in the way that ran") {
  const auto forks =
      met("def forward(self, x):\n  if x.size(0) > 4:\n    x = x + 1\n  return x", {at::ones({2})});
  REQUIRE(forks.size() == 1);
  CHECK(forks[0].branches);
  CHECK_FALSE(forks[0].taken[0]);
  CHECK(forks[0].taken[1]);
}

TEST_CASE("both sides of a clamp are met, or one is not") {
  const std::string source = "def forward(self, x):\n  return x.clamp(max=1.0)";
  CHECK(went(met(source, {at::zeros({2})}), "clamp", 1));
  CHECK_FALSE(went(met(source, {at::zeros({2})}), "clamp", 0));
  CHECK(went(met(source, {at::ones({2}) * 3}), "clamp", 0));
}

TEST_CASE("of masks that are joined each is met for itself") {
  const std::string source = "def forward(self, x):\n"
                             "  return x.masked_fill(torch.logical_or(x > 9, x < 0), 0.0)";
  const auto forks = met(source, {at::tensor({-1.0F, 1.0F})});
  CHECK(forks.size() == 3);
  CHECK(went(forks, "masked_fill", 0));
  CHECK(went(forks, "lt", 0));
  CHECK_FALSE(went(forks, "gt", 0));
  CHECK(went(forks, "gt", 1));
}

TEST_CASE("what decides nothing is no fork") {
  CHECK(met("def forward(self, x):\n  return (x > 9).float()", {at::ones({2})}).empty());
}
