#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

constexpr test::Checker check{checks::mutated_state};

namespace {

StateWrite state_write(ModuleId module, const std::string& attribute, FrameId frame) {
  StateWrite made;
  made.module = module;
  made.attribute = attribute;
  made.frame = frame;
  return made;
}

} // namespace

TEST_CASE("an attribute that is set is reported with its line, and whether the next call reads "
          "it") {
  SampleGraph builder;
  const auto encoder = builder.module("encoder", "net.Encoder");
  auto read = state_write(encoder, "state", builder.frame(12));
  read.read = true;
  builder.graph.state_writes = {read, state_write(encoder, "last", builder.frame(14))};
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 2);
  CHECK(found.findings()[0].message ==
        "a call sets attribute `encoder.state`, which the next call reads");
  CHECK(found.findings()[0].locations.at(0).source.line == 12);
  CHECK(found.findings()[1].message ==
        "a call sets attribute `encoder.last`, which no later call reads");
  CHECK(found.findings()[0].severity == Severity::warning);
  CHECK(found.findings()[1].severity == Severity::info);
  CHECK(fingerprint_of(found.findings()[0]) != fingerprint_of(found.findings()[1]));
}

TEST_CASE("what is only filled in is information") {
  SampleGraph builder;
  auto write = state_write(0, "cache", builder.frame(5));
  write.read = write.filled = true;
  builder.graph.state_writes = {write};
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].severity == Severity::info);
  CHECK(found.findings()[0].message ==
        "a call sets attribute `cache`, where it is missing, for later calls");
  CHECK(found.findings()[0].help ==
        "compute it when the model is made, and keep it there as a buffer");
}

TEST_CASE("what writes into a buffer in several places is one finding") {
  SampleGraph builder;
  const auto cache = builder.module("cache", "net.Cache");
  builder.parameter(cache, "keys", {4, 8}, 0, true);
  auto first = state_write(cache, "keys", builder.frame(20)), second = first;
  first.in_place = second.in_place = first.read = second.read = true;
  second.frame = builder.frame(21);
  builder.graph.state_writes = {first, second, second};
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message ==
        "a call writes into tensor `cache.keys`, which the next call reads");
  CHECK(found.findings()[0].locations.size() == 2);
}

TEST_CASE("a path that not every call takes is named") {
  SampleGraph builder;
  const auto op = builder.op("if_0", OpKind::control_flow);
  auto conditional = state_write(0, "state", builder.frame(5));
  conditional.region = builder.region(Region::Kind::then_arm, 0, op);
  builder.graph.state_writes = {conditional};
  CHECK_THAT(check(builder).findings().at(0).notes.at(0), Catch::Contains("if@0.then"));
}

TEST_CASE("a model that changes nothing, and a norm that trains, are not found") {
  SampleGraph builder;
  CHECK(check(builder).findings().empty());
  const auto norm = builder.module("norm", "torch.nn.modules.batchnorm.BatchNorm2d");
  builder.graph.modules().at(norm).torch_nn = true;
  builder.graph.state_writes = {state_write(norm, "running_mean", builder.frame(7)),
                                state_write(norm, "num_batches_tracked", builder.frame(8))};
  CHECK(check(builder).findings().empty());
  SECTION("the user's own norm is reported") {
    builder.graph.modules().at(norm).torch_nn = false;
    CHECK(check(builder).findings().size() == 1);
  }
}
