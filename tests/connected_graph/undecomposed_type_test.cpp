#include "connected_graph/undecomposed_type.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("decomposed operators are named as the model called them") {
  CHECK(undecomposed_type("aten::_softmax") == "softmax");
  CHECK(undecomposed_type("aten::_native_batch_norm_legit_no_training") == "batch_norm");
  CHECK(undecomposed_type("aten::native_layer_norm") == "layer_norm");
}

TEST_CASE("other operators keep their names") {
  CHECK(undecomposed_type("aten::add_.Tensor") == "add");
  CHECK(undecomposed_type("aten::softmax.int") == "softmax");
}
