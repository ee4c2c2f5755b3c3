#include "connected_graph/exported_program/program_builder.h"
#include "support/thrown.h"
#include "verify/flat_program/program_module.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator;
using namespace model_validator::verify;
using testing::Json;
using testing::ProgramBuilder;
using testing::TemporaryZip;

namespace {

ProgramModule loaded(const ProgramBuilder& builder) {
  const TemporaryZip file(builder.entries());
  return load_program(file.path(), {}, ProgramContent::all);
}

/// `reshape(x, shape)`
ProgramBuilder reshaping(const Json& shape) {
  ProgramBuilder builder;
  builder.input("x");
  Json& node = builder.node("aten.reshape.default", {"x"}, "y");
  node["inputs"].push_back({{"name", "shape"}, {"arg", shape}, {"kind", 1}});
  builder.output("y");
  return builder;
}

} // namespace

TEST_CASE("a program's graph has the operators that LibTorch runs") {
  const ProgramModule program = loaded(reshaping({{"as_ints", {4, 2}}}));
  const auto graph = program.module.get_method("forward").graph();
  CHECK(std::any_of(graph->nodes().begin(), graph->nodes().end(),
                    [](const auto* node) { return node->kind() == torch::jit::aten::reshape; }));
}

TEST_CASE("a list of another kind of element than the operator takes is refused") {
  const Json tensors = {{"as_tensors", Json::array({Json{{"name", "x"}}})}};
  const auto error = test::thrown_by([&] { loaded(reshaping(tensors)); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Catch::Contains("LibTorch has no operator for such arguments"));
}
