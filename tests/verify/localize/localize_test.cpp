#include "connected_graph/torchscript/builder.h"
#include "files/process/value_file.h"
#include "localize_with_backend.h"
#include "verify/localize/counterparts.h"
#include "verify_test_modules.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <sys/stat.h>

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

Divergence read_written(const std::filesystem::path& file) {
  return process::read_value<Divergence>(file, 1 << 20, "the search");
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

TEST_CASE("a candidate that computes along one more axis is compared all the same") {
  auto wider = torch::jit::Module("Wider");
  wider.register_module("inner", blocks("torch.tanh(x)", 1.01));
  define(wider, "def forward(self, x):\n  a, b = self.inner.forward(x.unsqueeze(0))\n"
                "  return a.squeeze(0), b.squeeze(0)");
  const auto divergence = localized(wider);
  CHECK(first_op(divergence) == "block1 linear");
  const auto first = std::ranges::find(divergence.ops, true, &OpComparison::first_divergent);
  CHECK_FALSE(first->candidate.empty());
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
    CHECK((op.introduced.value_or(0) > op.tolerance) == op.first_divergent);
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
  const auto file = std::filesystem::temp_directory_path() / "model_validator_divergence";
  process::write_value(file, divergence);
  const auto read = read_written(file);
  std::filesystem::remove(file);
  REQUIRE(read.ops.size() == 2);
  CHECK(read.ops[0].source == "f.py:3");
  CHECK(read.ops[0].candidate == "Add x");
  CHECK(read.ops[0].introduced == 0.5);
  CHECK(std::isinf(read.ops[1].error));
  CHECK_FALSE(read.ops[1].introduced);
  CHECK(read.notes == divergence.notes);
}

TEST_CASE("what another process wrote in place of a result is an error") {
  const auto file = std::filesystem::temp_directory_path() / "model_validator_divergence";
  Divergence divergence;
  divergence.ops.push_back({"add_0", "add", "m", "f.py:3", 0.5, 1e-4, 0.5, true, "Add x"});
  divergence.notes = {"note"};
  process::write_value(file, divergence);
  std::ifstream stream(file);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    std::ofstream(file) << whole.substr(0, length);
    CHECK_THROWS_AS(read_written(file), Error);
  }
  std::ofstream(file) << whole << "more";
  CHECK_THROWS_AS(read_written(file), Error);
  std::ofstream(file) << std::string(whole.size(), '\xff');
  CHECK_THROWS_AS(read_written(file), Error);
  std::filesystem::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK_THROWS_AS(read_written(file), Error);
  std::filesystem::remove(file);
}

namespace {

/// A convolution, a fresh normalisation, which hardly changes what it reads, and an activation.
torch::jit::Module normalised(double shift, double factor = 1) {
  auto root = torch::jit::Module("Root");
  root.register_parameter("conv", at::linspace(-1, 1, 36).reshape({4, 1, 3, 3}) * factor, false);
  root.register_buffer("mean", at::zeros({4}));
  root.register_buffer("variance", at::ones({4}));
  root.register_parameter("bias", at::full({4}, shift), false);
  define(root, R"(
    def forward(self, x):
      x = torch.conv2d(x, self.conv)
      x = torch.batch_norm(x, torch.ones([4]), self.bias, self.mean, self.variance, False, 0.1, 1e-5, False)
      return torch.sigmoid(x) + torch.relu(x))");
  return root;
}

Divergence between(const torch::jit::Module& reference, const torch::jit::Module& candidate,
                   const at::Tensor& input, const std::string& backend = "eager") {
  return localize(reference, *BackendRegistry::builtin().find(backend), {candidate, "", {"x"}},
                  {input}, {});
}

} // namespace

TEST_CASE("an op that hardly changes what it reads is named, not the next") {
  const auto input = at::linspace(-1, 1, 64).reshape({1, 1, 8, 8});
  for (const auto* backend : backends) {
    CAPTURE(backend);
    const auto shifted = between(normalised(0), normalised(0.1), input, backend);
    CHECK(first_op(shifted) == " batch_norm");
    const auto scaled = between(normalised(0), normalised(0, 1.01), input, backend);
    CHECK(first_op(scaled) == " conv2d");
    for (const auto& op : scaled.ops)
      if (op.first_divergent) CHECK_THAT(op.candidate, Catch::Contains("onv"));
  }
}

TEST_CASE("an op of booleans or integers is named") {
  const auto masked = [](const std::string& mask, const std::string& result) {
    return scripted("def forward(self, x):\n  mask = " + mask + "\n  return " + result);
  };
  const auto input = at::linspace(-2, 2, 12).reshape({2, 6});
  for (const auto* backend : backends) {
    CAPTURE(backend);
    const std::string where = "torch.where(mask, torch.sin(x), torch.cos(x))";
    CHECK(first_op(between(masked("x > 0", where), masked("x > 0.5", where), input, backend)) ==
          " gt");
    CHECK(first_op(between(masked("x > 0", where),
                           masked("x > 0", "torch.where(mask, torch.sin(x), torch.tan(x))"), input,
                           backend)) == " cos");
    CHECK(first_op(between(masked("torch.sin(x)", "torch.argmax(mask, 1)"),
                           masked("torch.sin(x)", "torch.argmin(mask, 1)"), input, backend)) ==
          " argmax");
  }
}

TEST_CASE("outputs that are equal to one another are in no other order") {
  const std::string twice = "def forward(self, x):\n  y = torch.sin(x)\n  return ";
  const auto found = between(scripted(twice + "y, y * 1.000001, x > 0"),
                             scripted(twice + "y * 1.000001, y, x > 0"), at::linspace(-2, 2, 12));
  REQUIRE(found.notes.size() == 1);
  CHECK_THAT(found.notes[0], !Catch::Contains("order"));
}

TEST_CASE("an error behind float16 is found") {
  const auto half = [](const std::string& factor) {
    return scripted("def forward(self, x):\n  y = torch.sin(x.half()).float()\n"
                    "  return torch.exp(y) * " +
                    factor);
  };
  CHECK(first_op(between(half("1."), half("1.005"), at::linspace(-2, 2, 12))) == " mul");
}

TEST_CASE("an operator's type is recognised in other spellings") {
  CHECK(is_of_type("BatchNormalization", "batch_norm"));
  CHECK(is_of_type("Conv", "conv2d"));
  CHECK(is_of_type("Convolution block/aten::_convolution", "conv2d"));
  CHECK(is_of_type("Add bn/aten::batch_norm/Add_2", "batch_norm"));
  CHECK_FALSE(is_of_type("Add conv/aten::add", "conv2d"));
  CHECK_FALSE(is_of_type("Relu", "conv2d"));
}

TEST_CASE("an error that a sentinel hides for a while is followed to where it begins") {
  const std::string masked = "y = torch.masked_fill(x, torch.gt(x, 100), 0)\n"
                             "  y = torch.cat([y, torch.full_like(y, -1e8)], 1)\n"
                             "  return torch.softmax(y, 1)";
  const auto divergence =
      localize(blocks("torch.tanh(x)", 1, masked), *BackendRegistry::builtin().find("eager"),
               {blocks("torch.tanh(x)", 1.01, masked), "", {"x"}},
               {at::linspace(-2, 2, 12).reshape({2, 6})}, {});
  CHECK(first_op(divergence) == "block1 linear");
}
