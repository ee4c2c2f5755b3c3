#include "files/scratch_folder.h"
#include "verify/backends/small_onnx.h"
#include "verify_test_modules.h"

#include <model_validator/verify/backend.h>

#include <catch2/catch.hpp>

using namespace model_validator::verify;
using model_validator::testing::SmallOnnx;

namespace {

/// What OpenVINO makes of an ONNX file and one input, and what it notes on the way.
struct FromFile {
  at::Tensor result;
  std::vector<std::string> notes;
};

FromFile run_file(const SmallOnnx& model, const at::Tensor& example, const at::Tensor& input) {
  const ScratchFolder folder;
  const auto file = folder.path() / "model.onnx";
  model_validator::testing::write_onnx(file, model);
  FromFile run;
  BackendOptions options;
  options.note = [&](const std::string& note) { run.notes.push_back(note); };
  const auto backend = BackendRegistry::builtin().find("openvino");
  const auto compiled = backend->compile({std::nullopt, file, {"x"}}, {example}, options);
  run.result = compiled({input}).toTuple()->elements()[0].toTensor().clone();
  return run;
}

} // namespace

TEST_CASE("OpenVINO computes what the module computes") {
  const auto backend = BackendRegistry::builtin().find("openvino");
  SECTION("a convolution, folded with the next op") {
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
  SECTION("an input of which only the size is read falls away, and that is told") {
    auto module = scripted(R"(
      def forward(self, x, n: int, parts: Dict[str, Tensor]):
        return torch.sigmoid(parts["y"] / (x.size(0) + n)) - parts["z"])");
    const std::vector<std::string> names{"x", "n", "parts"};
    c10::Dict<std::string, at::Tensor> parts;
    parts.insert("y", at::randn({2, 3}));
    parts.insert("z", at::randn({2, 3}));
    const std::vector<c10::IValue> inputs{at::randn({4, 3}), 2, parts};
    std::vector<std::string> notes;
    BackendOptions options;
    options.note = [&](const std::string& note) { notes.push_back(note); };
    const auto result = backend->compile({module, "", names}, inputs, options)(inputs);
    const auto expected = module.forward(inputs).toTensor();
    CHECK(at::allclose(result.toTuple()->elements()[0].toTensor(), expected, 1e-5, 1e-6));
    REQUIRE(notes.size() == 1);
    CHECK_THAT(notes[0], Catch::Contains("no input `x`"));
    const auto shown = backend->run_intermediates({module, "", names}, inputs, {}, {});
    CHECK(at::allclose(shown.value().at(0), expected, 1e-5, 1e-6));
  }
  SECTION("numbers that a text of the graph would lose are kept") {
    auto module = scripted(R"(
      def forward(self, x):
        hidden = x.masked_fill(x < 0, -float("inf"))
        return torch.softmax(hidden, 1) * 0.1234567890123456, torch.tensor([0.5, 1.0 / 3, 2.0]) * x)");
    const auto input = at::linspace(-1, 2, 6).reshape({2, 3});
    const auto result = backend->compile({module, "", {"x"}}, {input}, {})({input});
    const auto expected = module.forward({input}).toTuple()->elements();
    const auto got = result.toTuple()->elements();
    REQUIRE(got.size() == 2);
    CHECK(at::allclose(got[0].toTensor(), expected[0].toTensor(), 1e-5, 1e-7));
    CHECK(at::allclose(got[1].toTensor(), expected[1].toTensor(), 1e-6, 1e-8));
  }
  SECTION("bfloat16, which NumPy lacks, goes in and comes out") {
    auto module = scripted("def forward(self, x):\n  return x * 2, x.float().sum()");
    const auto input = at::linspace(-1, 2, 6).reshape({3, 2}).to(at::kBFloat16);
    const auto result = backend->compile({module, "", {"x"}}, {input}, {})({input});
    const auto got = result.toTuple()->elements();
    REQUIRE(got.size() == 2);
    REQUIRE(got[0].toTensor().scalar_type() == at::kBFloat16);
    CHECK(at::equal(got[0].toTensor(), input * 2));
    CHECK(got[1].toTensor().dim() == 0);
  }
  SECTION("one process serves a model after the other, and two at once") {
    auto doubles = scripted("def forward(self, x):\n  return x * 2");
    auto adds = scripted("def forward(self, x):\n  return x + 1");
    const auto input = at::ones({2});
    const auto first = backend->compile({doubles, "", {"x"}}, {input}, {});
    for (int i = 0; i < 2; ++i) {
      const auto second = backend->compile({adds, "", {"x"}}, {input}, {});
      CHECK(at::equal(second({input}).toTuple()->elements()[0].toTensor(), input + 1));
      CHECK(at::equal(first({input}).toTuple()->elements()[0].toTensor(), input * 2));
    }
  }
  SECTION("an empty tensor adds nothing to a concatenation") {
    auto module = scripted(R"(
      def forward(self, x):
        return torch.cat([torch.zeros([0]), x * 2, x[:0], torch.sin(x)], 0))");
    const auto input = at::randn({2, 3});
    const auto result = backend->compile({module, "", {"x"}}, {input}, {})({input});
    const auto expected = module.forward({input}).toTensor();
    CHECK(at::allclose(result.toTuple()->elements()[0].toTensor(), expected, 1e-5, 1e-6));
  }
}

TEST_CASE("OpenVINO runs a file that leaves sizes open, whatever the sizes that come") {
  const SmallOnnx model{{{"x", {-1, -1, 4}, {}}}, {}, {{"Sigmoid", {"x"}, "y"}}, {"y"}};
  const auto example = at::randn({1, 2, 4});
  for (const auto& input : {at::randn({1, 2, 4}), at::randn({5, 3, 4}), at::randn({2, 0, 4})}) {
    const auto run = run_file(model, example, input);
    REQUIRE(run.result.sizes() == input.sizes());
    CHECK(at::allclose(run.result, at::sigmoid(input), 1e-5, 1e-6));
    CHECK(run.notes.empty());
  }
}

TEST_CASE("OpenVINO is given the shapes of the inputs where it refuses an open rank") {
  // How many axes of one place are taken out depends on the sizes: the rank is open.
  const at::Tensor kernel = at::linspace(-1, 1, 36).reshape({4, 3, 3});
  const auto* data = kernel.const_data_ptr<float>();
  const SmallOnnx model{{{"x", {-1, -1, -1, -1}, {}}},
                        {{"w", {4, 3, 3}, {data, data + kernel.numel()}}},
                        {{"Squeeze", {"x"}, "squeezed"}, {"Conv", {"squeezed", "w"}, "y"}},
                        {"y"}};
  const auto input = at::randn({1, 2, 3, 8});
  const auto run = run_file(model, input, input);
  CHECK(at::allclose(run.result, at::conv1d(input.squeeze(), kernel), 1e-4, 1e-5));
  REQUIRE(run.notes.size() == 1);
  CHECK_THAT(run.notes[0], Catch::Contains("x [1, 2, 3, 8]") && Catch::Contains("rank"));
}
