#include "connected_graph/torchscript/python_names.h"

#include <catch2/catch.hpp>

using namespace model_validator::torchscript;

TEST_CASE("a class is known by its Python name") {
  CHECK(python_name("__torch__.torch.nn.modules.conv.___torch_mangle_1.Conv2d") ==
        "torch.nn.modules.conv.Conv2d");
  CHECK(python_name("__torch__.___torch_mangle_12.Net") == "Net");
  CHECK(python_name("plain").compare("plain") == 0);
}

TEST_CASE("functions of torch.nn.functional are distinguished from the user's") {
  CHECK(is_torch_functional("torch.nn.functional.relu"));
  CHECK(is_torch_functional("torch.functional.einsum"));
  CHECK_FALSE(is_torch_functional("mynet.functional.relu"));
}

TEST_CASE("a method is known by its Python name") {
  CHECK(python_method("forward") == "forward");
  CHECK(python_method("forward12") == "forward");
  CHECK(python_method("forward__0") == "forward");
  CHECK(python_method("encode__1") == "encode");
  CHECK(python_method("forward_features") == "forward_features");
  CHECK(python_method("conv1") == "conv1");
  CHECK(python_method("__len__") == "__len__");
}
