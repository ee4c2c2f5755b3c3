#include "support/sample_graph.h"
#include "verify/command/graph_noise.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using model_validator::test::SampleGraph;

namespace {

bool may_rank(const std::string& schema, const std::string& type) {
  SampleGraph sample;
  Op op;
  op.name = op.type = type;
  op.schema = schema;
  sample.edge(sample.op("x", OpKind::input), sample.graph.add_op(std::move(op)));
  return verify::graph_noise(sample.graph).may_rank;
}

} // namespace

TEST_CASE("rows are in the order of their values only where an op may sort") {
  CHECK(may_rank("onnx::TopK", "topk"));
  CHECK(may_rank("aten::sort.stable", "sort"));
  CHECK(may_rank("onnx::NonMaxSuppression", "nms"));
  CHECK(may_rank("torchvision::nms", "nms"));
  CHECK(may_rank("mmdeploy::TRTBatchedNMS", "TRTBatchedNMS"));
  CHECK_FALSE(may_rank("onnx::Sigmoid", "sigmoid"));
  CHECK_FALSE(may_rank("onnx::CumSum", "cumsum"));
  CHECK_FALSE(may_rank("com.microsoft::FusedConv", "FusedConv"));
  CHECK_FALSE(may_rank("", "linear"));
}

TEST_CASE("what has no graph may sort") { CHECK(verify::GraphNoise().may_rank); }
