#include "introspection/result_steps.h"
#include "support/sample_graph.h"

#include <model_validator/program.h>
#include <model_validator/quantisation.h>

#include <catch2/catch.hpp>

#include <memory>
#include <string>

using namespace model_validator;

namespace {

/// What is said of a layer whose greatest value is 100, and whose result is stored in steps of one
/// hundredth behind a node.
std::string misfit_behind(const std::string& schema) {
  test::SampleGraph sample;
  const OpId layer = sample.functional("conv2d", "onnx::Conv");
  Program flow;
  flow.values.resize(3);
  flow.nodes.resize(3);
  flow.nodes[0].op = layer;
  flow.nodes[0].outputs = {0};
  flow.nodes[1].schema = schema;
  flow.nodes[1].inputs = {0};
  flow.nodes[1].outputs = {1};
  auto steps = std::make_shared<Quantisation>();
  steps->scale.values = {0.01};
  steps->dtype = "int8";
  flow.nodes[2].role = QuantisedRole::quantise;
  flow.nodes[2].inputs = {1};
  flow.nodes[2].outputs = {2};
  flow.nodes[2].quantised = {{QuantisedOperand::result, std::move(steps)}};
  sample.graph.program = std::make_shared<const Program>(std::move(flow));
  return misfit_of_steps(sample.graph, layer, 100);
}

} // namespace

TEST_CASE("the steps of a result are found behind what moves it, in each format's spelling") {
  for (const char* schema : {"onnx::Transpose", "aten::permute", "onnx::Reshape", "onnx::Identity",
                             "aten::view_copy", "onnx::DepthToSpace", "onnx::Dropout"})
    CHECK_FALSE(misfit_behind(schema).empty());
  for (const char* schema : {"onnx::Conv", "onnx::ReduceMean", "onnx::Slice", "aten::add.Tensor"})
    CHECK(misfit_behind(schema).empty());
}
