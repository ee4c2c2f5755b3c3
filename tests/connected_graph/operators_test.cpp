#include "connected_graph/operator_memory.h"
#include "connected_graph/operators.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("an operator is known by each of its spellings") {
  for (const char* name : {"permute", "Transpose", "permute_copy", "transpose", "t_copy"})
    CHECK(does(name, Does::transposes));
  for (const char* name : {"to", "_to_copy", "Cast", "CastLike"}) CHECK(does(name, Does::converts));
  for (const char* name : {"view", "_unsafe_view", "_reshape_alias", "Reshape", "view_copy"})
    CHECK(does(name, Does::reshapes));
  for (const char* name : {"max_pool2d", "max_pool2d_with_indices", "MaxPool", "GlobalMaxPool"})
    CHECK(does(name, Does::picks));
  for (const char* name : {"dropout", "native_dropout", "Dropout"})
    CHECK(does(name, Does::drops_out));
  for (const char* name : {"rand", "RandomUniform", "Multinomial", "bernoulli"})
    CHECK(does(name, Does::draws));
  for (const char* name : {"dropout", "native_dropout", "Dropout", "rrelu", "lstm"})
    CHECK(does(name, draws_in_training));
  for (const char* name : {"scatter", "ScatterElements", "ScatterND", "index_put"})
    CHECK(does(name, Does::inserts));
}

TEST_CASE("what keeps its operand is the same in every format") {
  for (const char* name :
       {"Identity", "identity", "clone", "contiguous", "detach", "alias", "lift_fresh_copy"})
    CHECK(does(name, Does::keeps));
}

TEST_CASE("what computes is not said to move") {
  for (const char* name : {"conv2d", "Conv", "linear", "softmax", "Relu", "add", "mean",
                           "DequantizeLinear", "argmax", "rand", "somebodys_own", "", "_copy"})
    CHECK_FALSE(does(name, moves));
  CHECK(does("Relu", Does::bounds));
  CHECK(does("add", moves | Does::adds));
}

TEST_CASE("an operator does several things") {
  CHECK(does("reshape", Does::reshapes));
  CHECK(does("reshape", Does::takes_sizes));
  CHECK(may_return_operand("reshape"));
  CHECK_FALSE(returns_view("reshape"));
  CHECK(returns_view("numpy_T")); // `x.T`
  for (const char* name : {"clone", "view_copy", "lift_fresh_copy"})
    CHECK_FALSE(may_return_operand(name));
  CHECK_FALSE(does("argmax", Does::yields_truth));
}
