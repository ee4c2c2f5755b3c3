#include "introspection/openvino_ir.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <catch2/catch.hpp>

#include <string>

using namespace model_validator;
using namespace model_validator::test;

namespace {

std::string layer(const std::string& id, const std::string& type, const std::string& data,
                  const std::string& port = "precision=\"FP32\" names=\"\"",
                  const std::string& body = "") {
  return "<layer id=\"" + id + "\" name=\"L" + id + "\" type=\"" + type + "\"><data " + data +
         "/><output><port id=\"7\" " + port + "><dim>2</dim></port></output>" + body + "</layer>";
}

std::string model(const std::string& layers, const std::string& edges = "",
                  const std::string& version = "11") {
  return "<?xml version=\"1.0\"?>\n<net name=\"m\" version=\"" + version + "\"><layers>" + layers +
         "</layers><edges>" + edges + "</edges><rt_info><a value=\"1\"/></rt_info></net>";
}

const std::string input =
    layer("0", "Parameter", "element_type=\"f32\" shape=\"?,3\"", "precision=\"FP32\" names=\"x\"");
const std::string weight =
    layer("1", "Const", "element_type=\"f16\" shape=\"2, 3\" offset=\"4\" size=\"12\"",
          R"(precision="FP16" names="a\,b,c")");

class Files {
public:
  std::filesystem::path write(const std::string& text, std::size_t weights) const {
    folder_.write("m.bin", std::string(weights, '\0'));
    return folder_.write("m.xml", text);
  }
  std::string kind(const std::string& text, std::size_t weights = 16) const {
    const auto file = write(text, weights);
    const auto error = thrown_by([&] { read_openvino_ir(file); });
    if (!error) return "none";
    CHECK(well_worded(*error));
    CHECK_FALSE(error->hint().empty());
    return std::string(to_string(error->kind()));
  }
  const TemporaryFolder& folder() const { return folder_; }

private:
  TemporaryFolder folder_;
};

} // namespace

TEST_CASE("an OpenVINO model is read with its layers and what they read") {
  const Files files;
  const auto ir = read_openvino_ir(
      files.write(model(input + weight + layer("5", "MatMul", ""),
                        R"(<edge from-layer="0" from-port="7" to-layer="5" to-port="0"/>
               <edge from-layer="1" from-port="7" to-layer="5" to-port="1"/>)"),
                  16));
  REQUIRE(ir.layers.size() == 3);
  CHECK(ir.layers[0].outputs.at(0).name == "x");
  CHECK(ir.layers[1].outputs.at(0).name == "a,b");
  CHECK(ir.layers[1].outputs.at(0).dtype == "float16");
  CHECK(ir.layers[1].offset == 4);
  REQUIRE(ir.source(2, 1) != nullptr);
  CHECK(ir.source(2, 1)->name == "L1");
  CHECK(ir.source(2, 2) == nullptr);
  CHECK(ir.weights.filename() == "m.bin");
}

TEST_CASE("layers of a body are apart from those of the model") {
  const Files files;
  const std::string body =
      "<body><layers>" + input + layer("1", "ReLU", "") +
      R"(</layers><edges><edge from-layer="0" from-port="7" to-layer="1" to-port="0"/></edges></body>)";
  const auto ir = read_openvino_ir(files.write(
      model(input + layer("1", "Loop", "", "precision=\"FP32\"", body) + layer("2", "Result", ""),
            R"(<edge from-layer="1" from-port="7" to-layer="2" to-port="0"/>)"),
      0));
  REQUIRE(ir.layers.size() == 5);
  CHECK(ir.layers[3].type == "ReLU");
  CHECK(ir.lies_in_body(3));
  CHECK_FALSE(ir.lies_in_body(4));
  CHECK(ir.source(3, 0) == &ir.layers[2]);
  CHECK(ir.source(4, 0) == &ir.layers[1]);
}

TEST_CASE("a model without constants needs no weights") {
  const Files files;
  const auto file = files.folder().write("alone.xml", model(input));
  CHECK(read_openvino_ir(file).weights.empty());
}

TEST_CASE("weights that are missing, cut off or elsewhere are told") {
  const Files files;
  CHECK(files.kind(model(weight), 16) == "none");
  CHECK(files.kind(model(weight), 15) == "truncated-file");
  const auto alone = files.folder().write("alone.xml", model(weight));
  CHECK(kind_thrown_by([&] { read_openvino_ir(alone); }) == "missing-weights");
  const TemporaryFolder elsewhere;
  const auto other = elsewhere.write("w.bin", std::string(16, '\0'));
  std::filesystem::create_symlink(other, files.folder().path() / "alone.bin");
  CHECK(kind_thrown_by([&] { read_openvino_ir(alone); }) == "missing-weights");
}

TEST_CASE("a store that both files are links into is followed") {
  const TemporaryFolder store, cache;
  std::filesystem::create_symlink(store.write("1", model(weight)), cache.path() / "m.xml");
  std::filesystem::create_symlink(store.write("2", std::string(16, '\0')), cache.path() / "m.bin");
  CHECK(read_openvino_ir(cache.path() / "m.xml").layers.size() == 1);
}

TEST_CASE("a damaged model is one sentence") {
  const Files files;
  const std::string whole = model(input + weight);
  CHECK(files.kind(whole) == "none");
  for (std::size_t size = 40; size + 1 < whole.size(); size += 13)
    CHECK(files.kind(whole.substr(0, size)) == "truncated-file");
  CHECK(files.kind(model(input + input)) == "damaged-file");
  CHECK(files.kind(model(layer("0", "Const", "element_type=\"f32\""))) == "damaged-file");
  CHECK(files.kind(model(layer("0", "Const", "offset=\"-1\" size=\"4\""))) == "damaged-file");
  CHECK(files.kind(model(layer("0", "Const", "offset=\"18446744073709551615\" size=\"4\""))) ==
        "truncated-file");
  CHECK(files.kind(model(input, R"(<edge from-layer="0" to-layer="9" to-port="0"/>)")) ==
        "damaged-file");
  CHECK(files.kind("<net version=\"11\"><edges><edge/></edges></net>") == "damaged-file");
  CHECK(files.kind("<!DOCTYPE net SYSTEM \"file:///etc/passwd\">" + whole.substr(22)) ==
        "damaged-file");
}

TEST_CASE("a layer where none belongs is no layer") {
  const Files files;
  const auto ir = read_openvino_ir(
      files.write("<net version=\"10\"><layer><data/><output><port/></output></layer></net>", 0));
  CHECK(ir.layers.empty());
}

TEST_CASE("versions of the format that are not read are named") {
  const Files files;
  CHECK(files.kind(model(input, "", "10")) == "none");
  for (const char* version : {"7", "9", "12", "x", ""})
    CHECK(files.kind(model(input, "", version)) == "unsupported-version");
}

TEST_CASE("shapes say which sizes are open") {
  using Shape = std::vector<std::int64_t>;
  CHECK(shape_of_ir("?,3,224,224") == Shape{-1, 3, 224, 224});
  CHECK(shape_of_ir("8, 3") == Shape{8, 3});
  CHECK(shape_of_ir("1..8,4") == Shape{-1, 4});
  CHECK(shape_of_ir("") == Shape{});
  CHECK_FALSE(shape_of_ir("..."));
}

TEST_CASE("constants of floating-point numbers are weights, by the names of their tensors") {
  const Files files;
  const auto weights = list_ir_weights(
      files.write(model(weight + layer("2", "Const",
                                       "element_type=\"i64\" shape=\"1\" offset=\"0\" size=\"8\"")),
                  16));
  REQUIRE(weights.size() == 1);
  CHECK(weights[0].name == "a,b");
  CHECK(weights[0].dtype == "float16");
  CHECK(weights[0].shape == std::vector<std::uint64_t>{2, 3});
  CHECK(weights[0].spans.at(0).offset == 4);
}
