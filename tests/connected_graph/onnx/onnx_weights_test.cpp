#include "connected_graph/onnx/model_builder.h"
#include "connected_graph/onnx/onnx_weights.h"
#include "support/temporary_folder.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::testing;

namespace {

onnx::TensorProto& add_external(onnx::ModelProto& model, const std::string& location) {
  auto& tensor = add_weight(*model.mutable_graph(), "w", {2});
  tensor.clear_raw_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"location", location}, {"offset", "4"}, {"length", "8"}}) {
    auto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  return tensor;
}

std::string error_of(const onnx::ModelProto& model) {
  const TemporaryFile file(model.SerializeAsString());
  try {
    list_onnx_weights(file.path());
  } catch (const Error& error) {
    return std::string(to_string(error.kind())) + ": " + error.what();
  }
  return "no error";
}

} // namespace

TEST_CASE("the weights of an ONNX file are located") {
  onnx::ModelProto model = model_skeleton();
  add_weight(*model.mutable_graph(), "w", {3}).set_raw_data("abcdefghijkl");
  auto& constant = add_node(*model.mutable_graph()->mutable_node(), "Constant", {}, {"c"});
  auto& value = *constant.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  value.mutable_t()->set_data_type(onnx::TensorProto::FLOAT);
  value.mutable_t()->add_float_data(1.5F);
  const std::string bytes = model.SerializeAsString();
  const TemporaryFile file(bytes);
  const auto weights = list_onnx_weights(file.path());
  REQUIRE(weights.size() == 2);
  REQUIRE(weights[0].spans.size() == 1);
  CHECK(bytes.substr(weights[0].spans[0].offset, weights[0].spans[0].size) == "abcdefghijkl");
  CHECK(weights[1].spans.empty());
  CHECK_FALSE(weights[1].bytes.empty());
}

TEST_CASE("external data is looked for beside the model") {
  const TemporaryFile data("0123456789abcdef");
  onnx::ModelProto model = model_skeleton();
  add_external(model, data.path().filename().string());
  const TemporaryFile file(model.SerializeAsString());
  const auto weights = list_onnx_weights(file.path());
  REQUIRE(weights.size() == 1);
  CHECK(weights[0].file == data.path());
  CHECK(weights[0].spans.at(0).offset == 4);
  CHECK(weights[0].spans.at(0).size == 8);
}

TEST_CASE("external data that is missing, or elsewhere, is named") {
  onnx::ModelProto model = model_skeleton();
  SECTION("missing") {
    add_external(model, "not_there.data");
    CHECK(error_of(model).starts_with("missing-weights: the weights of the model are missing"));
  }
  SECTION("outside the folder") {
    add_external(model, "../../etc/passwd");
    CHECK(error_of(model) == "missing-weights: tensor `w` lies outside the model's folder");
  }
  SECTION("by an absolute path") {
    add_external(model, "/etc/passwd");
    CHECK(error_of(model) == "missing-weights: tensor `w` lies outside the model's folder");
  }
}

TEST_CASE("external data lies with the model when links are followed, or is not looked at") {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  folder.write("store/data", "0123456789abcdef");
  folder.write("secret", "0123456789abcdef");
  fs::create_directories(folder.path() / "names");
  const auto link = [&](const char* to, const char* name) {
    fs::create_symlink(to, folder.path() / name);
  };
  link("../store/model", "names/model");
  link("../store/data", "names/data");
  link("../secret", "store/suggestion");
  const auto found = [&](const char* model, const char* location) {
    onnx::ModelProto proto = model_skeleton();
    add_external(proto, location);
    folder.write("store/model", proto.SerializeAsString());
    try {
      return list_onnx_weights(folder.path() / model).at(0).file.filename().string();
    } catch (const Error& error) {
      return std::string(to_string(error.kind()));
    }
  };
  CHECK(found("store/model", "data") == "data");
  CHECK(found("names/model", "data") == "data");
  CHECK(found("store/model", "suggestion") == "missing-weights");
  CHECK(found("names/model", "../store/data") == "missing-weights");
}

TEST_CASE("external data that reaches beyond its file is refused before it is read") {
  const TemporaryFile data("0123456789abcdef");
  onnx::ModelProto model = model_skeleton();
  auto& tensor = add_external(model, data.path().filename().string());
  SECTION("by its length") { tensor.mutable_external_data(2)->set_value("4611686018427387904"); }
  SECTION("by its offset") { tensor.mutable_external_data(1)->set_value("9223372036854775808"); }
  CHECK(error_of(model) ==
        "truncated-file: the bytes of tensor `w` reach beyond the end of the file");
}

TEST_CASE("an external data offset that is not a number is refused") {
  const TemporaryFile data("0123456789abcdef");
  onnx::ModelProto model = model_skeleton();
  auto& tensor = add_external(model, data.path().filename().string());
  SECTION("words") { tensor.mutable_external_data(1)->set_value("4 bytes"); }
  SECTION("below zero") { tensor.mutable_external_data(1)->set_value("-4"); }
  SECTION("beyond 64 bits") { tensor.mutable_external_data(1)->set_value("99999999999999999999"); }
  CHECK(error_of(model) == "damaged-onnx: the offset of tensor `w` in its file is not a number");
}
