#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {

Diagnostics found_in(const WeightLedger& ledger) {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::onnx;
  return test::run_check(checks::stored_bytes, builder.graph, {}, {},
                         [&](Context& context) { context.ledger = [&] { return ledger; }; });
}

WeightLedger with(ByteFault::Kind kind) {
  return {{{"data.bin", 64, 0}}, {{kind, "w", "v", "data.bin", 12, 24}}};
}

} // namespace

TEST_CASE("stored-bytes is an error where a length is not what dimensions need") {
  for (const auto kind : {ByteFault::Kind::too_short, ByteFault::Kind::too_long}) {
    const auto found = found_in(with(kind));
    REQUIRE(found.findings().size() == 1);
    CHECK(found.findings()[0].severity == Severity::error);
    CHECK(found.findings()[0].refused_by == std::vector<std::string>{every_target});
  }
}

TEST_CASE("stored-bytes is a warning where tensors share bytes") {
  const auto found = found_in(with(ByteFault::Kind::overlap));
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].severity == Severity::warning);
  CHECK(found.findings()[0].refused_by.empty());
}

TEST_CASE("stored-bytes tells what no tensor takes, and nothing of a file that is taken whole") {
  CHECK(found_in({{{"data.bin", 64, 24}}, {}}).findings().size() == 1);
  CHECK(found_in({{{"data.bin", 64, 0}}, {}}).findings().empty());
}

TEST_CASE("stored-bytes knows nothing of a graph that did not come from a file") {
  SampleGraph builder;
  builder.graph.origin.format = FileFormat::onnx;
  CHECK(test::run_check(checks::stored_bytes, builder.graph).findings().empty());
}
