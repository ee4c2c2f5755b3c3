// Verifications of ONNX files from the files to the verdict.
#include "files/scratch_folder.h"
#include "verify/backends/small_onnx.h"

#include <model_validator/verify/request.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <onnx-ml.pb.h>

using namespace model_validator;
using namespace model_validator::verify;
using testing::SmallOnnx;

namespace {

void write(const std::filesystem::path& file, const SmallOnnx& model) {
  write_onnx(file, model);
  onnx::ModelProto proto;
  std::ifstream stream(file, std::ios::binary);
  REQUIRE(proto.ParseFromIstream(&stream));
  for (auto& node : *proto.mutable_graph()->mutable_node())
    if (node.op_type() == "TopK") node.add_output("places");
  std::ofstream(file, std::ios::binary) << proto.SerializeAsString();
}

VerifyResult verified(const SmallOnnx& reference, const SmallOnnx& candidate) {
  const ScratchFolder folder;
  VerifyRequest request;
  request.reference = folder.path() / "reference.onnx";
  request.candidate = folder.path() / "candidate.onnx";
  request.threads = 1;
  write(request.reference, reference);
  write(request.candidate, candidate);
  return run_verification(request);
}

enum class Ties { in_order, swapped };

/// A list of rows with falling keys, of which two nearly tie.
SmallOnnx list_of_rows(Ties ties) {
  constexpr int rows = 20, tied = 3;
  SmallOnnx::Tensor keys{"stored", {rows}, {}}, table{"table", {rows, 2}, {}};
  for (int i = 0; i < rows; ++i) {
    const bool is_swapped = ties == Ties::swapped && (i == tied || i == tied + 1);
    const int row = is_swapped ? 2 * tied + 1 - i : i;
    keys.values.push_back(1 - 0.02F * (row == tied + 1 ? tied + 0.0001F : static_cast<float>(row)));
    table.values.push_back(std::sin(7 * static_cast<float>(row)));
    table.values.push_back(std::cos(5 * static_cast<float>(row)));
  }
  return {{{"x", {rows}, {}}},
          {keys, table, {"zero", {1}, {0}}},
          {{"Mul", {"x", "zero"}, "nothing"},
           {"Add", {"stored", "nothing"}, "keys"},
           {"Identity", {"table"}, "rows"}},
          {"keys", "rows"}};
}

/// The same, by an op that sorts.
SmallOnnx sorted_list() {
  SmallOnnx list = list_of_rows(Ties::in_order);
  list.nodes.back() = {"Shape", {"keys"}, "count"};
  list.nodes.push_back({"TopK", {"keys", "count"}, "sorted"});
  list.nodes.push_back({"Gather", {"table", "places"}, "rows"});
  list.outputs.front() = "sorted";
  return list;
}

enum class Copy { in_float, in_steps };

/// Parts of a whole, most of them less than a millionth of the largest.
SmallOnnx parts_of(float whole, Copy copy) {
  SmallOnnx::Tensor weight{"w", {64, 4}, {}};
  for (int i = 0; i < 64 * 4; ++i) weight.values.push_back(std::sin(static_cast<float>(i)));
  SmallOnnx model{{{"x", {1, 64}, {}}},
                  {weight, {"sharper", {1}, {20}}, {"whole", {1}, {whole}}},
                  {{"Mul", {"x", "sharper"}, "logits"},
                   {"Softmax", {"logits"}, "shares"},
                   {"Mul", {"shares", "whole"}, "parts"}},
                  {"y"}};
  if (copy == Copy::in_steps) {
    model.weights.push_back({"step", {}, {whole / 255}});
    model.nodes.push_back({"QuantizeLinear", {"parts", "step"}, "stored"});
    model.nodes.push_back({"DequantizeLinear", {"stored", "step"}, "read"});
  }
  model.nodes.push_back({"MatMul", {copy == Copy::in_steps ? "read" : "parts", "w"}, "y"});
  return model;
}

} // namespace

TEST_CASE("rows that nearly tie may change places only where an op of the graph sorts") {
  const SmallOnnx swapped = list_of_rows(Ties::swapped);
  CHECK(verified(sorted_list(), swapped).status == VerifyStatus::same);
  CHECK(verified(list_of_rows(Ties::in_order), swapped).status == VerifyStatus::different);
}

TEST_CASE(
    "small values that become 0 beside large ones are lost, and small probabilities are not") {
  const auto incidents_of = [](float whole) {
    return verified(parts_of(whole, Copy::in_float), parts_of(whole, Copy::in_steps))
        .report.incidents;
  };
  CHECK(incidents_of(1).empty());
  const auto lost = incidents_of(1000);
  REQUIRE(lost.size() == 1);
  CHECK(lost.front().kind == IncidentKind::values);
  CHECK(lost.front().failure);
}
