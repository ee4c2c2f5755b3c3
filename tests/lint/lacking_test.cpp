#include "lint/lacking.h"

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

GraphOrigin origin(FileFormat format, bool traced, bool has_modules) {
  GraphOrigin origin;
  origin.format = format;
  origin.traced = traced;
  origin.has_modules = has_modules;
  origin.producer = "pytorch 2.13.0";
  return origin;
}

const GraphOrigin trace = origin(FileFormat::torchscript, true, true);
const GraphOrigin script = origin(FileFormat::torchscript, false, true);
const GraphOrigin frozen = origin(FileFormat::torchscript, false, false);
const GraphOrigin program = origin(FileFormat::exported_program, true, true);
const GraphOrigin legacy_onnx = origin(FileFormat::onnx, true, false);
const GraphOrigin dynamo_onnx = origin(FileFormat::onnx, true, true);

bool lacks(Need need, const GraphOrigin& origin) { return !what_lacks(need, origin, {}).empty(); }

} // namespace

TEST_CASE("a file without modules lacks them") {
  for (const GraphOrigin& each : {frozen, legacy_onnx}) {
    CHECK(lacks(Need::modules, each));
    CHECK(lacks(Need::all_modules, each));
  }
  for (const GraphOrigin& each : {trace, script, program, dynamo_onnx})
    CHECK_FALSE(lacks(Need::modules, each));
}

TEST_CASE("an ONNX file does not name modules that ran no operator") {
  CHECK(lacks(Need::all_modules, dynamo_onnx));
  for (const GraphOrigin& each : {trace, script, program})
    CHECK_FALSE(lacks(Need::all_modules, each));
}

TEST_CASE("a trace lacks the branches that it did not take, unless somebody watched") {
  for (const GraphOrigin& each : {trace, legacy_onnx}) CHECK(lacks(Need::branches, each));
  for (const GraphOrigin& each : {script, frozen, program, dynamo_onnx})
    CHECK_FALSE(lacks(Need::branches, each));
  const std::vector<TracedDecision> none_seen;
  Context watched;
  watched.decisions = &none_seen;
  CHECK(what_lacks(Need::branches, trace, watched).empty());
}

TEST_CASE("an ONNX file of another exporter is the model itself") {
  GraphOrigin origin = legacy_onnx;
  origin.producer = "tf2onnx 1.16";
  CHECK_FALSE(lacks(Need::branches, origin));
}

TEST_CASE("weights are there where a file can be read") {
  CHECK(lacks(Need::weights, trace));
  Context context;
  context.scan_weights = [] { return WeightScan(); };
  CHECK(what_lacks(Need::weights, trace, context).empty());
}
