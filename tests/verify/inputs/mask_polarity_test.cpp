#include "verify/inputs/mask_polarity.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

#include <limits>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

struct Reader {
  std::string type;
  std::size_t operand = 0;
  std::vector<Attribute> attributes = {};
  std::string schema = {};
};

/// Of a mask that ops read in a row.
bool ones_hide(const std::vector<Reader>& readers) {
  GraphBuilder graph;
  Op op;
  op.name = op.type = "input";
  op.kind = OpKind::input;
  const OpId mask = graph.add_op(op);
  OpId last = mask;
  for (const Reader& reader : readers) {
    Op next;
    next.name = next.type = reader.type;
    next.schema = reader.schema;
    next.attributes = reader.attributes;
    const OpId id = graph.add_op(next);
    graph.add_product(last, id, {"", 0, reader.operand, {}});
    last = id;
  }
  return verify::ones_hide(std::move(graph), mask);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

TEST_CASE("what a mask of ones does is what its first filling or adding operator does") {
  CHECK(ones_hide({{"masked_fill", 1, {{"value", -infinity}}}}));
  CHECK(ones_hide({{"masked_fill", 1, {{"value", std::string("-Infinity")}}}}));
  CHECK(ones_hide({{"masked_fill", 0, {{"input1", -infinity}}, "onnx::Where"}}));
  CHECK(ones_hide({{"to"}, {"mul", 0, {{"other", -10000.0}}}}));
  CHECK(ones_hide({{"logical_not"}, {"where", 0, {{"other", -1e9}}}}));
  CHECK_FALSE(ones_hide({{"where", 0, {{"other", -1e9}}}}));
  CHECK_FALSE(ones_hide({{"rsub", 0}, {"mul", 0, {{"other", -10000.0}}}}));
  CHECK_FALSE(ones_hide({{"sub", 1}, {"mul", 0, {{"input1", -10000.0}}}}));
  CHECK_FALSE(ones_hide(
      {{"eq", 0, {{"other", std::int64_t{0}}}}, {"masked_fill", 1, {{"value", -infinity}}}}));
  CHECK_FALSE(ones_hide({{"unsqueeze"}, {"scaled_dot_product_attention", 3}}));
  CHECK(ones_hide({{"bitwise_not"}, {"scaled_dot_product_attention", 3}}));
}

TEST_CASE("a mask of which nothing is seen leaves what it marks") {
  CHECK_FALSE(ones_hide({}));
  CHECK_FALSE(ones_hide({{"mul", 0, {{"other", 0.5}}}, {"sum"}}));
  CHECK_FALSE(ones_hide({{"masked_fill", 1, {{"value", 0.0}}}}));
}
