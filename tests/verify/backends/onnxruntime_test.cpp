#include "files/scratch_folder.h"
#include "localize_with_backend.h"
#include "verify/backends/onnx_model.h"
#include "verify/backends/onnx_moved.h"
#include "verify/backends/onnx_session.h"
#include "verify/backends/small_onnx.h"
#include "verify_test_modules.h"

#include <model_validator/error.h>
#include <model_validator/verify/backend.h>

#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

using namespace model_validator;
using namespace model_validator::verify;
using testing::SmallOnnx;

namespace {

#ifdef MODEL_VALIDATOR_HAS_OPENVINO
const std::vector<const char*> onnx_backends{"onnxruntime", "openvino"};
#else
const std::vector<const char*> onnx_backends{"onnxruntime"};
#endif

SmallOnnx::Tensor weight(const std::string& name, const at::Tensor& tensor) {
  const auto dense = tensor.contiguous();
  const auto* data = dense.const_data_ptr<float>();
  return {name, dense.sizes().vec(), {data, data + dense.numel()}};
}

/// Two layers, each a matrix product and an activation; `left - right` makes inputs tell apart.
struct Layers {
  at::Tensor first = at::linspace(-1, 1, 36).reshape({6, 6});
  at::Tensor second = at::linspace(1, -1, 36).reshape({6, 6});
  std::string activation = "Tanh";

  SmallOnnx onnx() const {
    return {{{"left", {2, 6}, {}}, {"right", {2, 6}, {}}},
            {weight("first", first), weight("second", second)},
            {{"Sub", {"left", "right"}, "difference"},
             {"MatMul", {"difference", "first"}, "product"},
             {activation, {"product"}, "hidden"},
             {"MatMul", {"hidden", "second"}, "last"},
             {"Sigmoid", {"last"}, "probability"}},
            {"probability", "hidden"}};
  }

  torch::jit::Module module() const {
    auto module = scripted("");
    module.register_parameter("first", first, false);
    module.register_parameter("second", second, false);
    define(module, "def forward(self, left, right):\n"
                   "  hidden = torch.tanh(torch.matmul(left - right, self.first))\n"
                   "  return torch.sigmoid(torch.matmul(hidden, self.second)), hidden");
    return module;
  }
};

class OnnxFile {
public:
  explicit OnnxFile(const SmallOnnx& model) { testing::write_onnx(path(), model); }
  std::filesystem::path path() const { return folder_.path() / "model.onnx"; }
  BackendInput input() const { return {std::nullopt, path(), {"left", "right"}}; }

private:
  ScratchFolder folder_;
};

std::vector<c10::IValue> layer_inputs() {
  return {at::linspace(-2, 2, 12).reshape({2, 6}), at::linspace(0, 1, 12).reshape({2, 6})};
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return std::string(to_string(error.kind()));
  }
  return "accepted";
}

/// Without optimisations.
ShowRun shown(const OnnxFile& file, std::vector<c10::IValue> inputs,
              std::vector<std::string> names = {"left", "right"},
              const std::string& backend = "onnxruntime") {
  return [backend, input = BackendInput{std::nullopt, file.path(), std::move(names)},
          inputs](const IntermediateRun& run) {
    BackendOptions options;
    options.optimise = false;
    return BackendRegistry::builtin().find(backend)->run_intermediates(input, inputs, options, run);
  };
}

enum class Reference { module, onnx };

/// The op that is named, and what the candidate has in its place.
std::string localized(const Layers& candidate, const std::string& backend,
                      Reference kind = Reference::module) {
  const OnnxFile file(candidate.onnx()), honest(Layers().onnx());
  auto moved = layer_inputs();
  moved[0] = moved[0].toTensor() * (1 + 1e-7);
  const auto reference = kind == Reference::module
                             ? run_of_module(Layers().module(), layer_inputs())
                             : run_of_backend(shown(honest, layer_inputs()), shown(honest, moved));
  const auto divergence = localize(*reference, *BackendRegistry::builtin().find(backend),
                                   file.input(), layer_inputs(), {});
  for (const auto& op : divergence.ops)
    if (op.first_divergent) return op.op + " / " + op.candidate;
  return "none";
}

} // namespace

TEST_CASE("an ONNX file is computed as the module it came from") {
  for (const auto* backend : onnx_backends) {
    CAPTURE(backend);
    const OnnxFile file(Layers().onnx());
    const auto inputs = layer_inputs();
    const auto compiled = BackendRegistry::builtin().find(backend)->compile(file.input(), {}, {});
    const auto result = compiled(inputs).toTuple()->elements();
    const auto expected = Layers().module().forward(inputs).toTuple()->elements();
    REQUIRE(result.size() == 2);
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(at::allclose(result[i].toTensor(), expected[i].toTensor(), 1e-4, 1e-6));
  }
}

TEST_CASE("inputs find their places by name, else by position") {
  const OnnxFile file(Layers().onnx());
  const auto inputs = layer_inputs();
  const auto backend = BackendRegistry::builtin().find("onnxruntime");
  const auto result_with = [&](const std::vector<std::string>& names, std::size_t first) {
    const auto compiled = backend->compile({std::nullopt, file.path(), names}, {}, {});
    return compiled({inputs[first], inputs[1 - first]}).toTuple()->elements()[0].toTensor();
  };
  const auto expected = result_with({"left", "right"}, 0);
  CHECK(result_with({"right", "left"}, 1).equal(expected));
  CHECK(result_with({"a", "b"}, 0).equal(expected));
  CHECK_FALSE(result_with({"a", "b"}, 1).equal(expected));
  const auto compiled = backend->compile({std::nullopt, file.path(), {"left"}}, {}, {});
  CHECK(refusal([&] { compiled({inputs[0]}); }) == "bad-inputs");
}

TEST_CASE("inputs of another shape than the file declares are refused before it runs") {
  const OnnxFile file(Layers().onnx());
  for (const auto* name : onnx_backends) {
    INFO(name);
    const auto backend = BackendRegistry::builtin().find(name);
    const auto compiled = backend->compile({std::nullopt, file.path(), {"left", "right"}}, {}, {});
    CHECK_NOTHROW(compiled({at::ones({2, 6}), at::ones({2, 6})}));
    for (const at::Tensor& other : {at::ones({3, 6}), at::ones({6}), at::ones({2, 6, 1})})
      CHECK(refusal([&] { compiled({other, other}); }) == "bad-inputs");
  }
}

TEST_CASE("a model that ONNX Runtime cannot take is refused, and one that it cannot run fails") {
  auto broken = Layers().onnx();
  broken.nodes[2].op = "NoSuchOperator";
  CHECK(refusal([&] { open_onnx(OnnxFile(broken).path()); }) == "backend-refused");
  const ScratchFolder folder;
  const auto file = folder.path() / "text.onnx";
  std::ofstream(file) << "this is not a model";
  CHECK(refusal([&] { open_onnx(file); }) == "backend-refused");
  const OnnxFile good(Layers().onnx());
  const auto compiled =
      BackendRegistry::builtin().find("onnxruntime")->compile(good.input(), {}, {});
  const at::Tensor complex = at::ones({2, 6}, at::kComplexFloat);
  CHECK(refusal([&] { compiled({complex, complex}); }) == "run-failed");
}

TEST_CASE("inputs are given in the dtype that an ONNX file declares, and that is told") {
  const OnnxFile file(Layers().onnx());
  std::vector<std::string> notes;
  BackendOptions options;
  options.note = [&](const std::string& note) { notes.push_back(note); };
  const auto compiled =
      BackendRegistry::builtin().find("onnxruntime")->compile(file.input(), {}, options);
  const at::Tensor wide = at::ones({2, 6}, at::kDouble), narrow = wide.to(at::kFloat);
  const auto of_wide = compiled({wide, wide}), of_narrow = compiled({narrow, narrow});
  CHECK(at::equal(of_wide.toTuple()->elements()[0].toTensor(),
                  of_narrow.toTuple()->elements()[0].toTensor()));
  REQUIRE(notes.size() == 2);
  CHECK_THAT(notes[0], Catch::Contains("is given as float32"));
}

TEST_CASE(
    "whole numbers and multiples of 1/256 stay as they are where a model is moved by roundings") {
  const OnnxFile file(SmallOnnx{
      {{"x", {4}, {}}}, {{"w", {4}, {-100, 3, 0.125F, 0.3F}}}, {{"Add", {"x", "w"}, "y"}}, {"y"}});
  const ScratchFolder folder;
  const auto moved = moved_onnx(std::make_shared<OnnxModel>(file.path()), folder.path(), 0);
  const float zeros[4] = {};
  const auto results = open_onnx(file.path(), {1, true, "", moved->parts().serialised_structure()})
                           .run({{"x", make_tensor(DType::float32, {4}, zeros)}});
  const auto* values = static_cast<const float*>(results.at(0).tensor.view.data);
  CHECK(std::vector<float>(values, values + 3) == std::vector<float>{-100, 3, 0.125F});
  CHECK(values[3] != 0.3F);
  CHECK(values[3] == Approx(0.3F));
}

TEST_CASE("a model that is made of another lies in no file, and of a file that is parsed once") {
  const OnnxFile file(
      SmallOnnx{{{"x", {1}, {}}}, {{"w", {1}, {0.3F}}}, {{"Add", {"x", "w"}, "y"}}, {"y"}});
  const auto model = std::make_shared<OnnxModel>(file.path());
  CHECK(model->proto() == model->proto());
  CHECK(model->intermediates() == model->intermediates());
  const ScratchFolder folder;
  const auto result = [&](std::uint64_t seed) {
    const auto moved = moved_onnx(model, folder.path(), seed);
    CHECK(moved->file().empty());
    const auto compiled = BackendRegistry::builtin()
                              .find("onnxruntime")
                              ->compile({{}, file.path(), {"x"}, moved}, {}, {});
    return compiled({at::zeros({1})}).toTuple()->elements()[0].toTensor().item<float>();
  };
  const std::set<float> results{result(0), result(1), result(2), result(3), result(4), result(5)};
  CHECK(results.size() == 2); // up or down
}

TEST_CASE("a model that is made of another runs without a copy of its large weights") {
  const auto numbers = at::linspace(-1, 1, 200 * 100).reshape({200, 100});
  const OnnxFile file(
      SmallOnnx{{{"left", {2, 200}, {}}},
                {weight("wide", numbers), weight("narrow", at::ones({100})),
                 weight("read by nothing", numbers)},
                {{"MatMul", {"left", "wide"}, "product"}, {"Mul", {"product", "narrow"}, "result"}},
                {"result"}});
  const ScratchFolder folder;
  const auto moved = moved_onnx(std::make_shared<OnnxModel>(file.path()), folder.path(), 0);
  const OnnxParts parts = moved->parts();
  REQUIRE(parts.weights.size() == 1);
  CHECK(parts.weights.front().name == "wide");
  CHECK(parts.serialised_structure().size() < 1000);
  CHECK(moved->parts().weights.size() == 1); // it still has them
  const auto input = at::linspace(-1, 1, 400).reshape({2, 200});
  const auto results = [&](SharedOnnxModel model) {
    const auto run = BackendRegistry::builtin()
                         .find("onnxruntime")
                         ->compile({{}, file.path(), {"left"}, std::move(model)}, {}, {});
    return run({input}).toTuple()->elements()[0].toTensor();
  };
  CHECK(at::allclose(results(moved), at::matmul(input, numbers), 1e-4, 1e-4));
  CHECK(!at::equal(results(moved), results({})));
}

TEST_CASE("large weights are apart from the variants of a model, which share them") {
  SmallOnnx model{{{"left", {2, 200}, {}}},
                  {weight("wide", at::linspace(-1, 1, 200 * 100).reshape({200, 100}))},
                  {{"MatMul", {"left", "wide"}, "product"}, {"Tanh", {"product"}, "result"}},
                  {"result"}};
  const OnnxFile file(model);
  const auto intermediates = OnnxModel(file.path()).intermediates();
  const auto product = intermediates->variant({"product"}, {});
  CHECK(product.model.size() < 1000);
  REQUIRE(product.weights.size() == 1);
  CHECK(product.weights.front().name == "wide");
  CHECK(product.weights.front().tensor.view.data ==
        intermediates->variant({"result"}, {}).weights.front().tensor.view.data);
  const auto given = make_tensor(DType::float32, {2, 100}, std::vector<float>(200).data());
  CHECK(intermediates->variant({"result"}, {{"product", given}}).weights.empty());
  const auto input = at::linspace(-1, 1, 400).reshape({2, 200});
  std::vector<Intermediate> seen;
  IntermediateRun run;
  run.visit = [&](const Intermediate& shown) { seen.push_back(shown); };
  const auto outputs =
      BackendRegistry::builtin()
          .find("onnxruntime")
          ->run_intermediates({std::nullopt, file.path(), {"left"}}, {input}, {}, run);
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].name == "product");
  CHECK(seen[0].op == "MatMul");
  CHECK(seen[1].inputs == std::vector<std::string>{"product"});
  CHECK(at::allclose(outputs->at(0), at::tanh(seen[0].tensor), 1e-4, 1e-5));
}

namespace {

/// A random value and what 70 nodes, more than are shown at a time, make of it one after the other.
SmallOnnx random_chain() {
  SmallOnnx model{{{"x", {4}, {}}}, {}, {{"RandomUniformLike", {"x"}, "v0"}}, {"last"}};
  for (int i = 1; i <= 70; ++i)
    model.nodes.push_back({"Identity", {"v" + std::to_string(i - 1)}, "v" + std::to_string(i)});
  model.nodes.push_back({"Sub", {"v70", "v0"}, "last"});
  return model;
}

} // namespace

TEST_CASE("without optimisations each node of an ONNX file runs once, however much is shown") {
  const OnnxFile file(random_chain());
  std::map<std::string, at::Tensor> seen;
  IntermediateRun run;
  run.visit = [&](const Intermediate& value) { seen[value.name] = value.tensor.clone(); };
  const auto outputs = shown(file, {at::zeros({4})}, {"x"})(run);
  REQUIRE(seen.size() == 72);
  CHECK(at::equal(seen.at("v70"), seen.at("v0")));
  CHECK(at::equal(outputs->at(0), at::zeros({4})));
  run.needs_outputs = false;
  run.wanted = [](const std::string& name) { return name == "v1"; };
  seen.clear();
  CHECK(shown(file, {at::zeros({4})}, {"x"})(run)->empty());
  CHECK(seen.size() == 1);
}

TEST_CASE(
    "values that are no tensors of numbers are passed over, and what is computed from them is "
    "shown") {
  const OnnxFile file(SmallOnnx{{{"x", {4}, {}}},
                                {},
                                {{"Relu", {"x"}, "a"},
                                 {"SequenceConstruct", {"a", "x"}, "list"},
                                 {"SequenceErase", {"list"}, "shorter"},
                                 {"SequenceLength", {"shorter"}, "length"},
                                 {"Neg", {"a"}, "y"}},
                                {"y"}});
  for (const bool optimise : {false, true}) {
    CAPTURE(optimise);
    std::map<std::string, Intermediate> seen;
    std::vector<std::string> passed_over;
    IntermediateRun run;
    run.visit = [&](const Intermediate& value) { seen.emplace(value.name, value); };
    run.pass_over = [&](const std::string& name) { passed_over.push_back(name); };
    BackendOptions options;
    options.optimise = optimise;
    const auto outputs =
        BackendRegistry::builtin()
            .find("onnxruntime")
            ->run_intermediates({std::nullopt, file.path(), {"x"}}, {at::ones({4})}, options, run);
    CHECK(passed_over == std::vector<std::string>{"list", "shorter"});
    REQUIRE(seen.size() == 3);
    CHECK(seen.at("length").tensor.item<std::int64_t>() == 1);
    CHECK(seen.at("length").inputs == std::vector<std::string>{"a"});
    CHECK(seen.at("length").reads_inputs);
    CHECK(at::equal(outputs->at(0), -at::ones({4})));
  }
}

TEST_CASE(
    "of what is given in place of a value, what the model computes is shown where that is asked") {
  const OnnxFile file(SmallOnnx{
      {{"x", {4}, {}}},
      {weight("one", at::ones({1}))},
      {{"Add", {"x", "one"}, "a"}, {"Add", {"a", "one"}, "b"}, {"Add", {"b", "one"}, "c"}},
      {"c"}});
  const std::map<std::string, float> own{{"a", 1}, {"b", 11}, {"c", 21}},
      given{{"a", 10}, {"b", 20}, {"c", 21}};
  for (const auto* backend : onnx_backends) {
    CAPTURE(backend);
    IntermediateRun run;
    std::map<std::string, float> seen;
    run.visit = [&](const Intermediate& value) {
      seen[value.name] = value.tensor[0].item<float>();
    };
    run.replaced = {{"a", at::full({4}, 10.0F)}, {"b", at::full({4}, 20.0F)}};
    const auto outputs = shown(file, {at::zeros({4})}, {"x"}, backend)(run);
    CHECK(seen == given);
    CHECK(outputs->at(0)[0].item<float>() == 21);
    run.shows_own = true;
    shown(file, {at::zeros({4})}, {"x"}, backend)(run);
    CHECK(seen == own);
  }
}

TEST_CASE("a fault in an ONNX file is found, and which node has it") {
  for (const auto* backend : onnx_backends) {
    CAPTURE(backend);
    const bool names_nodes = std::string(backend) == "onnxruntime";
    SECTION(std::string(backend) + ": an op") {
      Layers changed;
      changed.activation = "Sin";
      const auto found = localized(changed, backend);
      CHECK_THAT(found, Catch::StartsWith("tanh_0 / Sin"));
      if (names_nodes) CHECK(found == "tanh_0 / Sin hidden");
    }
    SECTION(std::string(backend) + ": a weight") {
      Layers perturbed;
      perturbed.second = perturbed.second * 1.01;
      CHECK_THAT(localized(perturbed, backend), Catch::StartsWith("matmul_1 / MatMul"));
    }
    SECTION(std::string(backend) + ": NaN") {
      Layers perturbed;
      perturbed.first = perturbed.first.clone();
      perturbed.first[2][3] = std::numeric_limits<float>::quiet_NaN();
      CHECK_THAT(localized(perturbed, backend), Catch::StartsWith("matmul_0 / MatMul"));
    }
    SECTION(std::string(backend) + ": nothing") { CHECK(localized(Layers(), backend) == "none"); }
    SECTION(std::string(backend) + ": a weight, with a reference of ONNX") {
      Layers perturbed;
      perturbed.second = perturbed.second * 1.01;
      CHECK_THAT(localized(perturbed, backend, Reference::onnx),
                 Catch::StartsWith("last / MatMul"));
      CHECK(localized(Layers(), backend, Reference::onnx) == "none");
    }
    SECTION(std::string(backend) + ": an activation, with a reference of ONNX") {
      Layers perturbed;
      perturbed.activation = "Softsign";
      CHECK_THAT(localized(perturbed, backend, Reference::onnx), Catch::StartsWith("hidden / "));
    }
  }
}
