#include "verify_test_modules.h"

#include <model_validator/verify/backend.h>

#include <catch2/catch.hpp>

using namespace model_validator::verify;

TEST_CASE("OpenVINO computes what the module computes") {
  const auto backend = BackendRegistry::builtin().find("openvino");
  SECTION("a convolution, folded with what follows") {
    auto module = conv_bn_relu();
    const auto input = at::randn({1, 3, 8, 8});
    const auto result = backend->compile({module, "", {"x"}}, {input}, {})({input});
    const auto expected = module.forward({input}).toTensor();
    CHECK(at::allclose(result.toTuple()->elements()[0].toTensor(), expected, 1e-4, 1e-5));
  }
  SECTION("branches and loops become what ran") {
    auto module = scripted(R"(
      def forward(self, x, n: int):
        parts = [x]
        for i in range(n):
          if i % 2 == 0:
            parts.append(torch.sin(parts[-1]))
          else:
            parts.append(parts[-1] * 3)
        return torch.cat(parts, 1), parts[-1].sum())");
    const auto input = at::randn({2, 3});
    const auto result = backend->compile({module, "", {"x", "n"}}, {input, 3}, {})({input, 3});
    const auto expected = module.forward({input, 3}).toTuple()->elements();
    const auto got = result.toTuple()->elements();
    REQUIRE(got.size() == 2);
    CHECK(at::allclose(got[0].toTensor(), expected[0].toTensor(), 1e-5, 1e-6));
    CHECK(at::allclose(got[1].toTensor(), expected[1].toTensor(), 1e-5, 1e-5));
  }
  SECTION("what is empty adds nothing to what is concatenated") {
    auto module = scripted(R"(
      def forward(self, x):
        return torch.cat([torch.zeros([0]), x * 2, x[:0], torch.sin(x)], 0))");
    const auto input = at::randn({2, 3});
    const auto result = backend->compile({module, "", {"x"}}, {input}, {})({input});
    const auto expected = module.forward({input}).toTensor();
    CHECK(at::allclose(result.toTuple()->elements()[0].toTensor(), expected, 1e-5, 1e-6));
  }
}
