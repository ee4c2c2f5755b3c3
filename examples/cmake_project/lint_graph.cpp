// Builds a graph by hand, as a compiler's own front end would, and looks at it.
#include <model_validator/graph_builder.h>

#include <iostream>

int main() {
  using namespace model_validator;

  GraphBuilder graph;
  const OpId input = graph.add_op({.name = "input_0", .type = "input", .kind = OpKind::input});
  const OpId gelu = graph.add_op({.name = "gelu_1", .type = "gelu", .schema = "aten::gelu"});
  graph.add_product(input, gelu, {.name = "x"});

  std::cout << graph.op_count() << " ops, " << graph.product_count() << " product\n";
  return graph.op_count() == 2 ? 0 : 1;
}
