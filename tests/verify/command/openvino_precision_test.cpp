#include "support/temporary_folder.h"
#include "verify/command/openvino_precision.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace model_validator::verify;
using model_validator::test::TemporaryFolder;

namespace {

/// An OpenVINO model, layer by layer: each reads the layers that are named.
class SmallIr {
public:
  SmallIr& layer(const std::string& name, const std::string& type, const std::string& data,
                 const std::string& precision, const std::vector<std::string>& inputs = {}) {
    const std::string id = std::to_string(names_.size());
    layers_ += "<layer id=\"" + id + "\" name=\"" + name + "\" type=\"" + type + "\"><data " +
               data + "/><output><port id=\"9\" precision=\"" + precision + "\" names=\"" + name +
               "_value\"/></output></layer>";
    for (std::size_t i = 0; i < inputs.size(); ++i)
      edges_ += "<edge from-layer=\"" + std::to_string(number_of(inputs[i])) +
                "\" from-port=\"9\" to-layer=\"" + id + "\" to-port=\"" + std::to_string(i) +
                "\"/>";
    names_.push_back(name);
    return *this;
  }
  SmallIr& constant(const std::string& name, const std::string& type, const std::string& shape,
                    const std::string& bytes) {
    const std::string data = "element_type=\"" + type + "\" shape=\"" + shape + "\" offset=\"" +
                             std::to_string(weights_.size()) + "\" size=\"" +
                             std::to_string(bytes.size()) + "\"";
    weights_ += bytes;
    return layer(name, "Const", data, type == "f16" ? "FP16" : type == "f32" ? "FP32" : "I8");
  }
  SmallIr& number(const std::string& name, float value) {
    return constant(name, "f32", "",
                    std::string(reinterpret_cast<const char*>(&value), sizeof value));
  }
  /// What `x` gives, rounded to so many steps from −1 to 3.
  SmallIr& rounded(const std::string& name, const std::string& x, int levels) {
    number(name + "low", -1).number(name + "high", 3);
    return layer(name, "FakeQuantize", "levels=\"" + std::to_string(levels) + "\"", "FP32",
                 {x, name + "low", name + "high", name + "low", name + "high"});
  }
  /// A matrix in few bits, with a scale for each row or group.
  SmallIr& few_bits(const std::string& name, const std::string& type, const std::string& shape,
                    const std::string& scales, bool shifted) {
    constant(name, type, shape, std::string(64, '\0'));
    layer(name + "_wide", "Convert", "destination_type=\"f32\"", "FP32", {name});
    std::string last = name + "_wide";
    if (shifted) {
      number(name + "_zero", 1);
      last = layer(name + "_shifted", "Subtract", "a=\"b\"", "FP32", {last, name + "_zero"}).last();
    }
    constant(name + "_scale", "f32", scales, std::string(64, '\0'));
    return layer(name + "_scaled", "Multiply", "a=\"b\"", "FP32", {last, name + "_scale"});
  }
  SmallIr& input() { return layer("x", "Parameter", "shape=\"?,4\" element_type=\"f32\"", "FP32"); }
  const std::string& last() const { return names_.back(); }

  std::filesystem::path write() const {
    folder_.write("m.bin", weights_);
    return folder_.write("m.xml", "<net version=\"11\"><layers>" + layers_ + "</layers><edges>" +
                                      edges_ + "</edges></net>");
  }
  OpenVinoPrecision precision() const { return precision_of_openvino_model(write()); }

private:
  std::size_t number_of(const std::string& name) const {
    std::size_t at = 0;
    while (names_.at(at) != name) ++at;
    return at;
  }
  TemporaryFolder folder_;
  std::string layers_, edges_, weights_;
  std::vector<std::string> names_;
};

} // namespace

TEST_CASE("an OpenVINO model in float32 has no precision of its own") {
  SmallIr ir;
  ir.input().constant("w", "f32", "4,4", std::string(64, '\0'));
  const auto found = ir.layer("y", "MatMul", "a=\"b\"", "FP32", {"x", "w"}).precision();
  CHECK(found.quantised == 0);
  CHECK(found.weights.empty());
  CHECK(found.computed_in.empty());
}

TEST_CASE("weights in float16 that are made wide again are weights alone") {
  SmallIr ir;
  ir.input().constant("w", "f16", "4,4", std::string(32, '\0'));
  ir.layer("wide", "Convert", "destination_type=\"f32\"", "FP32", {"w"});
  const auto found = ir.layer("y", "MatMul", "a=\"b\"", "FP32", {"x", "wide"}).precision();
  CHECK(found.weights == "float16");
  CHECK(found.computed_in.empty());
}

TEST_CASE("a bias in float16 is no weight") {
  SmallIr ir;
  ir.input().constant("b", "f16", "1,4,1", std::string(8, '\0'));
  CHECK(ir.precision().weights.empty());
}

TEST_CASE("results in float16 are what the model computes in") {
  SmallIr ir;
  ir.input().constant("w", "f16", "4,4", std::string(32, '\0'));
  const auto found = ir.layer("y", "MatMul", "a=\"b\"", "FP16", {"x", "w"}).precision();
  CHECK(found.computed_in == "float16");
}

TEST_CASE("values that are rounded to steps say in how many bits, and which") {
  for (const auto& [levels, results] :
       {std::pair(256, Narrowing::Results::int8), std::pair(257, Narrowing::Results::int16)}) {
    SmallIr ir;
    const auto found = ir.input().rounded("q", "x", levels).precision();
    CHECK(found.quantised == 1);
    CHECK(found.narrowing.results == results);
    const auto values = values_rounded_by_openvino_model(ir.write());
    REQUIRE(values.size() == 1);
    CHECK(values.at("x_value") == Approx(4.0 / (levels - 1)));
    const auto ranges = input_ranges_of_openvino_model(ir.write());
    CHECK(ranges.at("x_value").low == -1);
    CHECK(ranges.at("x_value").high == 3);
  }
}

TEST_CASE("weights in few bits say how many, in which groups, and whether they are shifted") {
  SmallIr rows;
  const auto by_row = rows.few_bits("w", "i8", "4,16", "4,1", false).precision();
  CHECK(by_row.quantised == 1);
  CHECK(by_row.narrowing.results == Narrowing::Results::as_they_are);
  CHECK(by_row.narrowing.bits == 8);
  CHECK(by_row.narrowing.per_channel);
  CHECK(by_row.narrowing.block == 0);
  CHECK_FALSE(by_row.narrowing.has_zero_point);
  SmallIr groups;
  const auto by_group = groups.few_bits("w", "u4", "4,2,16", "4,2,1", true).precision();
  CHECK(by_group.narrowing.bits == 4);
  CHECK(by_group.narrowing.block == 16);
  CHECK(by_group.narrowing.has_zero_point);
  SmallIr whole;
  CHECK_FALSE(whole.few_bits("w", "i8", "4,16", "", false).precision().narrowing.per_channel);
}

TEST_CASE("whole numbers that nobody makes wide are no weight in few bits") {
  SmallIr ir;
  CHECK(ir.constant("table", "u8", "4,16", std::string(64, '\0')).precision().quantised == 0);
}

TEST_CASE("a table in few bits is named, a matrix is not") {
  SmallIr table;
  table.input().few_bits("w", "i8", "4,16", "4,1", false);
  table.layer("y", "Gather", "a=\"b\"", "FP32", {table.last(), "x"});
  CHECK(values_rounded_by_openvino_model(table.write()).contains("w"));
  SmallIr matrix;
  matrix.input().few_bits("w", "i8", "4,16", "4,1", false);
  matrix.layer("y", "MatMul", "a=\"b\"", "FP32", {"x", matrix.last()});
  CHECK(values_rounded_by_openvino_model(matrix.write()).empty());
}
