#include "verify/localize/localize.h"
#include "verify_test_modules.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

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

Divergence localized(const torch::jit::Module& candidate) {
  const auto backend = BackendRegistry::builtin().find("eager");
  return localize(blocks("torch.tanh(x)"), *backend, {candidate, "", {"x"}},
                  {at::linspace(-2, 2, 12).reshape({2, 6})}, {});
}

std::string first_op(const Divergence& divergence) {
  for (const auto& op : divergence.ops)
    if (op.first_divergent) return op.module + " " + op.type;
  return "none";
}

} // namespace

TEST_CASE("an op that was changed is found") {
  CHECK(first_op(localized(blocks("torch.relu(x)"))) == "block1 tanh");
}

TEST_CASE("a weight that was perturbed is found") {
  CHECK(first_op(localized(blocks("torch.tanh(x)", 1.01))) == "block1 linear");
}

TEST_CASE("NaN that was injected is found") {
  CHECK(first_op(localized(blocks("torch.tanh(x) * float('nan')"))) == "block2 linear");
}

TEST_CASE("an error that only passes through is told from the one that is introduced") {
  const auto divergence = localized(blocks("torch.tanh(x)", 1.01));
  for (const auto& op : divergence.ops) {
    CAPTURE(op.op, op.module);
    CHECK(op.introduced.has_value() == op.first_divergent);
    CHECK((op.error > op.tolerance) == (op.module != "block0"));
  }
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
  divergence.ops.push_back({"add_0", "add", "m", "f.py:3", 0.5, 1e-4, 0.5, true});
  divergence.ops.push_back(
      {"mul_0", "mul", "", "", std::numeric_limits<double>::infinity(), 1e-4, std::nullopt, false});
  divergence.notes = {"note"};
  const auto file = std::filesystem::temp_directory_path() / "model_validator_divergence.json";
  write_divergence(file, divergence);
  const auto read = read_divergence(file);
  std::filesystem::remove(file);
  REQUIRE(read.ops.size() == 2);
  CHECK(read.ops[0].source == "f.py:3");
  CHECK(read.ops[0].introduced == 0.5);
  CHECK(std::isinf(read.ops[1].error));
  CHECK_FALSE(read.ops[1].introduced);
  CHECK(read.notes == divergence.notes);
}
