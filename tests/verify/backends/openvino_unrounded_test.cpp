#include "files/input_file.h"
#include "introspection/openvino_ir.h"
#include "support/temporary_folder.h"
#include "verify/backends/openvino_unrounded.h"
#include "verify/small_ir.h"

#include <catch2/catch.hpp>

#include <cstring>

using namespace model_validator;
using namespace model_validator::test;
using namespace model_validator::verify;

namespace {

std::string bytes_of(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
}

/// A copy of a model without rounding, and what was asked of its weights.
struct Copy {
  Copy(const SmallIr& ir, const FindOwnWeight& find_own, GateOrder order = GateOrder::of_pytorch) {
    const FindOwnWeight asking = [&](const FewBitWeight& weight) {
      asked.push_back(weight);
      return find_own(weight);
    };
    is_complete =
        write_unrounded_openvino(ir.write(), folder.path() / "c.xml", asking, order).is_complete;
    read = read_openvino_ir(folder.path() / "c.xml");
  }
  const IrLayer& layer(const std::string& name) const {
    return *std::ranges::find(read.layers, name, &IrLayer::name);
  }
  std::vector<float> numbers(const std::string& name) const {
    const IrLayer& constant = layer(name);
    std::vector<float> found(constant.size / sizeof(float));
    InputFile(read.weights).read_at(constant.offset, found.data(), constant.size);
    return found;
  }

  TemporaryFolder folder;
  std::vector<FewBitWeight> asked;
  bool is_complete = false;
  OpenVinoIr read;
};

std::vector<float> nothing_own(const FewBitWeight&) { return {}; }
std::vector<float> tens(const FewBitWeight& weight) {
  return std::vector<float>(weight.numbers.size(), 10);
}

/// x → steps → a layer with a matrix of two rows in int8, whose scales are 0.5 and −2.
SmallIr& rounded_layer(SmallIr& ir, const std::string& type = "MatMul",
                       const std::string& value = "x") {
  ir.rounded("q", value, 256).constant("w", "i8", "2,2", {1, 2, 3, -127});
  ir.layer("wide", "Convert", "destination_type=\"f32\"", "FP32", {"w"});
  ir.constant("scale", "f32", "2,1", bytes_of({0.5F, -2}));
  ir.layer("scaled", "Multiply", "a=\"b\"", "FP32", {"wide", "scale"});
  return ir.layer("y", type, "transpose_b=\"true\"", "FP32", {"q", "scaled"});
}

} // namespace

TEST_CASE("a weight in few bits of an OpenVINO model is what it stands for, with its steps") {
  SmallIr ir;
  const Copy copy(rounded_layer(ir.input()), nothing_own);
  REQUIRE(copy.asked.size() == 1);
  const FewBitWeight& weight = copy.asked.front();
  CHECK(weight.layer == "y");
  CHECK(weight.name == "w");
  CHECK(weight.sizes == std::vector<std::int64_t>{2, 2});
  CHECK(weight.numbers == std::vector<float>{0.5F, 1, -6, 254});
  CHECK(weight.steps == std::vector<float>{0.5F, 0.5F, 2, 2});
  CHECK(weight.ends == std::vector<std::int8_t>{0, 0, 0, 1});
  CHECK(copy.is_complete);
  CHECK(copy.numbers("scaled") == weight.numbers);
}

TEST_CASE("a copy of an OpenVINO model rounds nothing and has the reference's weights") {
  SmallIr ir;
  const Copy copy(rounded_layer(ir.input()), tens);
  CHECK(copy.layer("scaled").is_constant());
  CHECK(copy.numbers("scaled") == std::vector<float>(4, 10));
  const IrLayer& value = copy.layer("q");
  CHECK(value.type == "Convert");
  CHECK(value.value_name() == "q_value");
  const auto place = static_cast<std::size_t>(&value - copy.read.layers.data());
  CHECK(copy.read.sources[place].size() == 1);
}

TEST_CASE("what an OpenVINO model makes of few bits by other operators stays rounded") {
  SmallIr ir;
  ir.input().constant("w", "i8", "2,2", {1, 2, 3, 4});
  ir.layer("wide", "Convert", "destination_type=\"f32\"", "FP32", {"w"});
  ir.layer("odd", "Sin", "a=\"b\"", "FP32", {"wide"});
  const Copy copy(ir.layer("y", "MatMul", "a=\"b\"", "FP32", {"x", "odd"}), tens);
  CHECK_FALSE(copy.is_complete);
  CHECK(copy.layer("odd").type == "Sin");
}

TEST_CASE("gates of recurrent layers are asked for in the reference's order") {
  SmallIr ir;
  ir.input().constant("w", "i8", "1,4,1", {1, 2, 3, 4}); // f, i, c, o
  ir.layer("wide", "Convert", "destination_type=\"f32\"", "FP32", {"w"});
  ir.layer("y", "LSTMSequence", "a=\"b\"", "FP32", {"x", "wide"});
  const auto itself = [](const FewBitWeight& weight) { return weight.numbers; };
  const Copy torch(ir, itself), onnx(ir, itself, GateOrder::of_onnx);
  CHECK(torch.asked.front().numbers == std::vector<float>{2, 1, 3, 4});
  CHECK(onnx.asked.front().numbers == std::vector<float>{2, 4, 1, 3});
  CHECK(torch.numbers("wide") == std::vector<float>{1, 2, 3, 4});
  CHECK(onnx.numbers("wide") == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("a matrix that a quantiser divided by what its operand is multiplied by is multiplied") {
  const auto numbers_with = [](const std::string& name) {
    SmallIr ir;
    ir.input().constant("by", "f32", "1,2", bytes_of({2, 4}));
    ir.layer(name, "Multiply", "a=\"b\"", "FP32", {"x", "by"});
    return Copy(rounded_layer(ir, "MatMul", name), nothing_own).asked.front().numbers;
  };
  CHECK(numbers_with("x/nncf_smooth_quant") == std::vector<float>{1, 4, -12, 1016});
  CHECK(numbers_with("norm") == std::vector<float>{0.5F, 1, -6, 254});
}

TEST_CASE("a bias that makes up for rounding is asked for within what rounding moves") {
  SmallIr ir;
  rounded_layer(ir.input()).constant("b", "f32", "1,2", bytes_of({5, 6}));
  const auto own = [](const FewBitWeight& weight) {
    return weight.is_moved ? tens(weight) : std::vector<float>{};
  };
  const Copy copy(ir.layer("z", "Add", "a=\"b\"", "FP32", {"y", "b"}), own);
  REQUIRE(copy.asked.size() == 2);
  const FewBitWeight& bias = copy.asked.back();
  CHECK(bias.is_moved);
  CHECK(bias.numbers == std::vector<float>{5, 6});
  CHECK(bias.steps.at(0) == Approx(0.5 * 3 * 0.5 * std::sqrt(2))); // values lie within 3
  CHECK(bias.steps.at(1) == Approx(0.5 * 3 * 2 * std::sqrt(2)));
  CHECK(copy.numbers("b") == std::vector<float>{10, 10});
}
