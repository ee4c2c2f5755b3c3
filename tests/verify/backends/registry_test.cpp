#include "verify_test_modules.h"

#include <model_validator/error.h>
#include <model_validator/verify/backend.h>
#include <model_validator/verify/same.h>

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

TEST_CASE("the backend ts gives what the module gives") {
  const auto ts = BackendRegistry::builtin().find("ts");
  for (const auto& module : {sequential(), conv_bn_relu()}) {
    const auto input = module.hasattr("conv") ? at::randn({1, 3, 8, 8}) : at::randn({10});
    const auto result = ts->compile({module, "", {}}, {input}, {})({input});
    auto plain = module;
    CHECK(same(to_value(plain.forward({input})), to_value(result)));
  }
}

TEST_CASE("a backend is found by its name, and an unknown name lists them") {
  const auto registry = BackendRegistry::builtin();
  for (const auto* name :
       {"aoti", "command", "eager", "onnxruntime", "openvino", "subgraphs", "ts"})
    CHECK(registry.find(name)->name() == name);
  try {
    registry.find("tensorrt");
    FAIL("it was found");
  } catch (const Error& error) {
    CHECK_THAT(error.hint(), Catch::Contains("openvino"));
  }
  auto again = BackendRegistry::builtin();
  CHECK_THROWS_AS(again.add(registry.find("ts")), Error);
}

TEST_CASE("a program is a backend when it reads and writes .npz") {
  const auto backend = BackendRegistry::builtin().find("command");
  BackendOptions options;
  const BackendInput input{std::nullopt, "", {"x"}};
  SECTION("its outputs are the results") {
    options.command = "cp {inputs} {outputs}";
    const auto result = backend->compile(input, {}, options)({at::arange(3, at::kFloat)});
    CHECK(result.toTuple()->elements()[0].toTensor().equal(at::arange(3, at::kFloat)));
  }
  SECTION("a failure is reported with its exit status") {
    options.command = "true {inputs} {outputs} && exit 7";
    CHECK_THROWS_WITH(backend->compile(input, {}, options)({at::ones({1})}),
                      Catch::Contains("exit status 7"));
  }
  SECTION("leaving nothing is a failure") {
    options.command = "true {inputs} {outputs}";
    CHECK_THROWS_WITH(backend->compile(input, {}, options)({at::ones({1})}),
                      Catch::Contains("left no outputs"));
  }
  SECTION("placeholders must be there") {
    options.command = "./run.sh {inputs}";
    CHECK_THROWS_AS(backend->compile(input, {}, options), Error);
  }
}
