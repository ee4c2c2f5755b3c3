#include "cli/init/requirement_names.h"

#include <catch2/catch.hpp>

using namespace model_validator::cli;
using Names = std::vector<std::string>;

TEST_CASE("a requirement begins with the name of a package") {
  CHECK(package_of("Torch_TensorRT >=2.11 ; extra == 'x'") == "torch-tensorrt");
  CHECK(package_of("openvino[tests]==2026.1") == "openvino");
  CHECK(package_of("nncf @ git+https://example.org/nncf") == "nncf");
  CHECK(package_of("a..b--c") == "a-b-c");
  CHECK(package_of("openvino/extra").empty());
  CHECK(package_of("https://example.org/openvino.whl").empty());
  CHECK(package_of("").empty());
}

TEST_CASE("lines of every kind of file name packages") {
  CHECK(packages_in("openvino==2026.1  # onnxruntime") == Names{"openvino"});
  CHECK(packages_in("  - openvino=2026") == Names{"openvino"});
  CHECK(packages_in("    'openvino>=2026',").back() == "openvino");
  CHECK(packages_in("install_requires = openvino").back() == "openvino");
  CHECK(packages_in("-r openvino.txt").empty());
  CHECK(packages_in("--extra-index-url https://example.org").empty());
  CHECK(packages_in("# openvino").empty());
}

TEST_CASE("what a project is called and is about is no requirement") {
  CHECK(packages_in("name = openvino").empty());
  CHECK(packages_in("    keywords=['openvino', 'onnx'],").empty());
}
