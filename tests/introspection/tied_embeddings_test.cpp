#include "introspection/tied_embeddings.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

struct Tied {
  GraphBuilder graph;
  ParameterId table = 0;

  Tied() {
    Parameter weight;
    weight.type = {std::vector<std::int64_t>{50, 8}, "float32"};
    table = graph.add_parameter(weight);
    add("embedding", 0);
  }
  OpId add(const std::string& type, std::size_t operand) {
    Op op;
    op.type = type;
    op.kind = OpKind::functional;
    op.parameters = {table};
    op.parameter_inputs = {operand};
    return graph.add_op(op);
  }
};

} // namespace

TEST_CASE("a table that a product multiplies with is tied") {
  Tied tied;
  CHECK(count_tied_embeddings(tied.graph) == 0);
  tied.add("linear", 1);
  CHECK(count_tied_embeddings(tied.graph) == 1);
}

TEST_CASE("a table that is turned before it multiplies is tied, too") {
  Tied tied;
  const OpId turned = tied.add("permute", 0);
  Op product;
  product.type = "matmul";
  product.kind = OpKind::functional;
  Product weight;
  weight.input = 1;
  tied.graph.add_product(turned, tied.graph.add_op(product), weight);
  CHECK(count_tied_embeddings(tied.graph) == 1);
}

TEST_CASE("another weight of a product is not tied") {
  Tied tied;
  Parameter other;
  other.type = {std::vector<std::int64_t>{50, 8}, "float32"};
  tied.table = tied.graph.add_parameter(other);
  tied.add("linear", 1);
  CHECK(count_tied_embeddings(tied.graph) == 0);
}
