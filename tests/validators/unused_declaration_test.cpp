#include "connected_graph/file_nodes.h"
#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {
constexpr test::Checker check{checks::unused_declaration};

/// A graph with the inputs `x`, which an operator reads, and `mask`.
SampleGraph with_inputs(bool reads_mask) {
  SampleGraph builder;
  std::vector<OpId> inputs;
  for (const char* name : {"x", "mask"}) {
    Op op;
    op.type = "input";
    op.name = name;
    op.kind = OpKind::input;
    inputs.push_back(builder.graph.add_op(std::move(op)));
  }
  const OpId add = builder.functional("add", "aten::add", builder.frame(10));
  builder.graph.add_product(inputs[0], add, {});
  if (reads_mask) builder.graph.add_product(inputs[1], add, {});
  return builder;
}

} // namespace

TEST_CASE("an input that nothing reads is found, and no other") {
  SampleGraph builder = with_inputs(false);
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "nothing reads the input `mask`");
  SampleGraph read = with_inputs(true);
  CHECK(check(read).findings().empty());
}

TEST_CASE("of what the reader of a file found, that is reported which is unused") {
  SampleGraph builder = with_inputs(true);
  FileNodes file;
  file.forms = {
      {.kind = "unused-function", .sentence = "no node calls the function `f`", .alike = 1},
      {.kind = "function", .sentence = "a call"}};
  builder.graph.file_nodes = std::make_shared<const FileNodes>(std::move(file));
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "no node calls the function `f`");
  CHECK(found.findings()[0].notes == std::vector<std::string>{"so it is in 1 more place"});
}
