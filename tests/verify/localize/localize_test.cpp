#include "connected_graph/torchscript/builder.h"
#include "verify/localize/localize.h"
#include "verify_test_modules.h"

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

#ifdef MODEL_VALIDATOR_HAS_OPENVINO
const std::vector<const char*> backends{"eager", "openvino"};
#else
const std::vector<const char*> backends{"eager"};
#endif

/// Three blocks; `change` is put where it is asked for in the second.
torch::jit::Module blocks(const std::string& activation, double weight_of_second = 1,
                          const std::string& tail = "return x, x + 1") {
  auto root = torch::jit::Module("Root");
  for (int i = 0; i < 3; ++i) {
    auto block = torch::jit::Module("Block" + std::to_string(i));
    const double factor = i == 1 ? weight_of_second : 1;
    block.register_parameter("weight", at::linspace(-1, 1, 36).reshape({6, 6}) * factor, false);
    define(block, "def forward(self, x):\n  x = torch.linear(x, self.weight)\n  return " +
                      std::string(i == 1 ? activation : "torch.tanh(x)"));
    root.register_module("block" + std::to_string(i), block);
  }
  define(root, "def forward(self, x):\n  x = self.block0.forward(x)\n"
               "  x = self.block1.forward(x)\n  x = self.block2.forward(x)\n  " +
                   tail);
  return root;
}

Divergence localized(const torch::jit::Module& candidate, const std::string& backend = "eager") {
  return localize(blocks("torch.tanh(x)"), *BackendRegistry::builtin().find(backend),
                  {candidate, "", {"x"}}, {at::linspace(-2, 2, 12).reshape({2, 6})}, {});
}

std::string first_op(const Divergence& divergence) {
  for (const auto& op : divergence.ops)
    if (op.first_divergent) return op.module + " " + op.type;
  return "none";
}

} // namespace

TEST_CASE("an op that was changed is found") {
  for (const auto* backend : backends) {
    CAPTURE(backend);
    CHECK(first_op(localized(blocks("torch.relu(x)"), backend)) == "block1 tanh");
  }
}

TEST_CASE("ops have the names that the model's graph has for them") {
  const auto graph = torchscript::build_graph(blocks("torch.tanh(x)"));
  std::map<std::string, std::string> modules;
  for (OpId id = 0; id < graph.op_count(); ++id)
    modules[graph.op(id).name] = graph.module_path(graph.op(id).parent);
  const auto divergence = localized(blocks("torch.relu(x)"));
  REQUIRE(divergence.ops.size() == 7);
  std::set<std::string> names;
  for (const auto& op : divergence.ops) {
    CAPTURE(op.op);
    REQUIRE(modules.contains(op.op));
    CHECK(modules[op.op] == op.module);
    names.insert(op.op);
  }
  CHECK(names.size() == 7);
}

TEST_CASE("a weight that was perturbed is found") {
  for (const auto* backend : backends) {
    CAPTURE(backend);
    CHECK(first_op(localized(blocks("torch.tanh(x)", 1.01), backend)) == "block1 linear");
  }
}

TEST_CASE("an error far below the default tolerance is found") {
  CHECK(first_op(localized(blocks("torch.tanh(x)", 1.00003))) == "block1 linear");
}

TEST_CASE("NaN that was injected is found") {
  for (const auto* backend : backends) {
    CAPTURE(backend);
    CHECK(first_op(localized(blocks("torch.tanh(x) * float('nan')"), backend)) == "block2 linear");
  }
}

TEST_CASE("infinities are compared by sign and place") {
  const auto masked = [](const std::string& mask, const std::string& value) {
    return blocks("torch.tanh(x).masked_fill(x " + mask + " 0, " + value + ")", 1,
                  "return torch.nan_to_num(x), x + 1");
  };
  const auto reference = masked(">", "float('-inf')");
  const auto backend = BackendRegistry::builtin().find("eager");
  for (const auto& candidate : {masked(">", "float('inf')"), masked("<", "float('-inf')")}) {
    const auto found = localize(reference, *backend, {candidate, "", {"x"}},
                                {at::linspace(-2, 2, 12).reshape({2, 6})}, {});
    CHECK_THAT(first_op(found), Catch::StartsWith("block1 "));
  }
}

TEST_CASE("an error that only passes through is distinguished from one that is introduced") {
  const auto divergence = localized(blocks("torch.tanh(x)", 1.01));
  for (const auto& op : divergence.ops) {
    CAPTURE(op.op, op.module);
    REQUIRE(op.introduced.has_value());
    CHECK((*op.introduced > op.tolerance) == op.first_divergent);
    CHECK((op.error > op.tolerance) == (op.module != "block0"));
  }
  REQUIRE(divergence.notes.size() == 1);
  CHECK_THAT(divergence.notes[0], Catch::Contains("every output agrees"));
}

TEST_CASE("of two faults both are found, and the first is the first") {
  auto candidate = blocks("torch.tanh(x)", 1.01);
  const auto last = candidate.attr("block2").toModule();
  last.attr("weight").toTensor().mul_(1.02);
  const auto divergence = localized(candidate);
  CHECK(first_op(divergence) == "block1 linear");
  std::vector<std::string> introduce;
  for (const auto& op : divergence.ops)
    if (op.introduced.value_or(0) > op.tolerance) introduce.push_back(op.module + " " + op.type);
  CHECK(introduce == std::vector<std::string>{"block1 linear", "block2 linear"});
}

TEST_CASE("what is replaced in a run is used by all that follows") {
  const auto module = scripted("def forward(self, x):\n  y = x * 2\n  return torch.sin(y) + y");
  const auto input = at::linspace(-1, 1, 6);
  for (const auto* backend : backends) {
    CAPTURE(backend);
    const auto found = BackendRegistry::builtin().find(backend);
    std::vector<Intermediate> seen;
    IntermediateRun run;
    run.visit = [&](const Intermediate& shown) { seen.push_back(shown); };
    const BackendInput model{module, "", {"x"}};
    const auto plain = found->run_intermediates(model, {input}, {}, run);
    REQUIRE(plain.has_value());
    const auto doubled = std::find_if(seen.begin(), seen.end(), [&](const Intermediate& shown) {
      return shown.tensor.sizes() == input.sizes() && at::allclose(shown.tensor, input * 2);
    });
    REQUIRE(doubled != seen.end());
    IntermediateRun other;
    other.replaced = {{doubled->name, at::ones({6})}};
    const auto outputs = found->run_intermediates(model, {input}, {}, other);
    REQUIRE(outputs.has_value());
    CHECK(at::allclose(outputs->at(0), at::sin(at::ones({6})) + 1));
  }
}

TEST_CASE("a model that fills a buffer of its own is run afresh each time") {
  auto module = scripted("");
  module.register_buffer("seen", at::zeros({2}));
  define(module, "def forward(self, x):\n  self.seen.add_(x)\n  return self.seen * 2");
  const auto backend = BackendRegistry::builtin().find("eager");
  const auto compiled = backend->compile({module, "", {"x"}}, {}, {});
  for (int i = 0; i < 2; ++i) CHECK(compiled({at::ones({2})}).toTensor().equal(at::full({2}, 2.0)));
  const auto divergence = localize(module, *backend, {module, "", {"x"}}, {at::ones({2})}, {});
  CHECK(first_op(divergence) == "none");
}

TEST_CASE("outputs that are only swapped, or missing, have no op to blame") {
  for (const auto* tail : {"return x + 1, x", "return x + 1"}) {
    const auto divergence = localized(blocks("torch.tanh(x)", 1, tail));
    CHECK(first_op(divergence) == "none");
    CHECK(divergence.notes.size() == 1);
  }
}

TEST_CASE("the backend ts reproduces every op that counts") {
  const auto module = conv_bn_relu();
  const auto backend = BackendRegistry::builtin().find("ts");
  const auto divergence =
      localize(module, *backend, {module, "", {"x"}}, {at::randn({1, 3, 8, 8})}, {});
  CHECK(first_op(divergence) == "none");
}

TEST_CASE("a result comes back from another process as it was") {
  Divergence divergence;
  divergence.ops.push_back({"add_0", "add", "m", "f.py:3", 0.5, 1e-4, 0.5, true, "Add x"});
  divergence.ops.push_back({"mul_0", "mul", "", "", std::numeric_limits<double>::infinity(), 1e-4,
                            std::nullopt, false, ""});
  divergence.notes = {"note"};
  const auto file = std::filesystem::temp_directory_path() / "model_validator_divergence.json";
  write_divergence(file, divergence);
  const auto read = read_divergence(file);
  std::filesystem::remove(file);
  REQUIRE(read.ops.size() == 2);
  CHECK(read.ops[0].source == "f.py:3");
  CHECK(read.ops[0].candidate == "Add x");
  CHECK(read.ops[0].introduced == 0.5);
  CHECK(std::isinf(read.ops[1].error));
  CHECK_FALSE(read.ops[1].introduced);
  CHECK(read.notes == divergence.notes);
}
