#include "onnx_writer.h"

#include "wire.h"

#include <algorithm>
#include <vector>

namespace fuzz {
namespace {

using Names = std::vector<std::string>;
using namespace std::string_view_literals;

Message entry(std::string_view key, std::string_view value) {
  return Message().text(1, key).text(2, value);
}

class Writer {
public:
  explicit Writer(Choices& choices) : choices_(choices) {}

  std::string model() {
    Message model;
    model.number(1, 8 + static_cast<std::int64_t>(choices_.below(4)));
    model.text(2, choices_.of({"pytorch"sv, ""sv, "tf2onnx"sv, "\x1b[31m"sv}));
    if (choices_.one_in(8)) model.text(3, choices_.name());
    const std::size_t functions = choices_.one_in(2) ? choices_.times(60, 100) : 0;
    for (std::size_t i = 0; i < functions; ++i) model.message(25, function(i));
    functions_ = functions;
    model.message(7, graph(0, true));
    if (choices_.one_in(64)) model.message(7, graph(0, true));
    model.message(8, opset(""));
    if (choices_.one_in(3)) model.message(8, opset("f"));
    if (choices_.one_in(16)) model.message(14, entry(choices_.name(), choices_.odd_name()));
    return std::move(model).bytes();
  }

private:
  Message opset(std::string_view domain) {
    return Message().text(1, domain).number(2, choices_.one_in(8) ? choices_.integer() : 17);
  }

  std::string fresh() {
    std::string name = "v" + std::to_string(values_++);
    if (choices_.one_in(32)) name = choices_.odd_name();
    return name;
  }
  std::string known(Names& scope) {
    if (scope.empty() || choices_.one_in(64)) return choices_.one_in(2) ? "" : choices_.name();
    // Recent values are read most: chains, not heaps.
    const std::size_t back = choices_.one_in(3) ? choices_.below(scope.size()) : 0;
    return scope[scope.size() - 1 - back];
  }

  Message tensor(const std::string& name);
  Message data_type();
  Message value(const std::string& name);
  void add_values(Message& graph, unsigned field, Names& scope, std::size_t count);
  void add_nodes(Message& to, unsigned field, Names& scope, int depth);
  void add_metadata(Message& node);
  void add_attributes(Message& node, Names& scope, int depth);
  Message attribute(Names& scope, int depth);
  Message node(Names& scope, int depth);
  Message graph(int depth, bool outermost, const Names& outer = {});
  Message function(std::size_t number);

  Choices& choices_;
  std::size_t values_ = 0;
  std::size_t functions_ = 0; ///< that may be called
  std::size_t graphs_ = 0;
};

Message Writer::tensor(const std::string& name) {
  Message tensor;
  for (std::size_t i = 0, rank = choices_.times(3000, 2); i < rank; ++i)
    tensor.number(1, choices_.integer());
  tensor.number(2, choices_.one_in(8) ? choices_.integer() : choices_.of({1, 7, 6, 9, 10, 11, 8}));
  tensor.text(8, name);
  switch (choices_.below(8)) {
  case 0: break;
  case 1: tensor.number(7, choices_.integer()); break;
  case 2: tensor.real(4, static_cast<float>(choices_.real())); break;
  case 3: tensor.text(6, choices_.name()); break;
  case 4:
    tensor.number(14, 1);
    for (const auto& key : {"location", "offset", "length"})
      tensor.message(13, entry(key, choices_.of({"0"sv, "8"sv, "../x"sv, "/dev/zero"sv, "-1"sv,
                                                 "99999999999999999999"sv, "/proc/self/environ"sv,
                                                 ""sv, "x"sv, "18446744073709551615"sv})));
    break;
  default: tensor.text(9, repeated("\1", 4 * choices_.times(20000, 4)));
  }
  if (choices_.one_in(32)) tensor.text(9, "\0\0\0\0"sv);
  return tensor;
}

Message Writer::data_type() {
  Message shape;
  for (std::size_t i = 0, rank = choices_.times(3000, 4); i < rank; ++i) {
    Message size;
    if (choices_.one_in(4))
      size.text(2, choices_.name());
    else
      size.number(1, choices_.integer());
    shape.message(1, size);
  }
  Message of_tensor;
  of_tensor.number(1, choices_.one_in(8) ? choices_.integer() : choices_.of({1, 7, 10, 9}));
  of_tensor.message(2, shape);
  Message type;
  if (!choices_.one_in(8)) return type.message(1, of_tensor);
  // A sequence of a sequence of … .
  type.message(1, of_tensor);
  for (std::size_t i = 0, depth = choices_.times(200, 50); i < depth; ++i)
    type = Message().message(choices_.of({4U, 9U}), Message().message(1, type));
  return type;
}

Message Writer::value(const std::string& name) {
  return Message().text(1, name).message(2, data_type());
}

void Writer::add_values(Message& graph, unsigned field, Names& scope, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    scope.push_back(fresh());
    graph.message(field, value(scope.back()));
  }
}

void Writer::add_metadata(Message& node) {
  std::string scopes = "[";
  std::string classes = "[";
  for (std::size_t i = 0, levels = choices_.times(3000, 16); i < levels; ++i) {
    scopes += "'" + choices_.path() + "', ";
    classes += choices_.of({"'A', "sv, "'torch.nn.modules.activation.ReLU', "sv,
                            "'torch.nn.modules.conv.Conv2d', "sv, "'\\', "sv});
  }
  node.message(9, entry("pkg.torch.onnx.name_scopes", scopes + "'" + choices_.name() + "']"));
  node.message(9, entry("pkg.torch.onnx.class_hierarchy", classes + "'aten.relu.default']"));
  if (!choices_.one_in(3)) return;
  std::string trace;
  for (std::size_t i = 0, frames = choices_.times(2000, 40); i < frames; ++i)
    trace += "  File \"" + choices_.name() + "\", line " + std::to_string(choices_.integer()) +
             ", in forward\n    y = " + choices_.name() + "\n";
  node.message(9, entry("pkg.torch.onnx.stack_trace", trace));
}

Message Writer::attribute(Names& scope, int depth) {
  Message attribute;
  attribute.text(1, choices_.of({"axis"sv, "value"sv, "to"sv, "perm"sv, "kernel_shape"sv, "pads"sv,
                                 "group"sv, "body"sv, "mode"sv, "axes"sv, ""sv}));
  const std::size_t kind = choices_.below(12);
  if (kind == 0) attribute.number(3, choices_.integer()).number(20, 2);
  if (kind == 1) attribute.real(2, static_cast<float>(choices_.real())).number(20, 1);
  if (kind == 2) attribute.text(4, choices_.odd_name()).number(20, 3);
  if (kind == 3) attribute.message(5, tensor(choices_.name())).number(20, 4);
  if (kind == 4 && depth > 0) attribute.message(6, graph(depth - 1, false, scope)).number(20, 5);
  if (kind == 5) {
    attribute.number(20, 7);
    for (std::size_t i = 0, count = choices_.times(20000, 3); i < count; ++i)
      attribute.number(8, choices_.integer());
  }
  if (kind == 6) {
    attribute.number(20, 8);
    for (std::size_t i = 0, count = choices_.times(3000, 8); i < count; ++i)
      attribute.text(9, choices_.name());
  }
  if (kind == 7) attribute.text(21, choices_.of({"axis"sv, "value"sv, "perm"sv, "body"sv}));
  if (kind == 8 && depth > 0) {
    attribute.number(20, 10);
    for (int i = 0; i < 2; ++i) attribute.message(11, graph(depth - 1, false, scope));
  }
  if (kind == 9) attribute.message(14, data_type()).number(20, 13);
  if (kind == 10) attribute.number(20, choices_.integer());
  if (kind == 11)
    attribute.message(22, Message().message(1, tensor("s")).message(2, tensor("i"))).number(20, 11);
  return attribute;
}

void Writer::add_attributes(Message& node, Names& scope, int depth) {
  for (std::size_t i = 0, count = choices_.below(3); i < count; ++i)
    node.message(5, attribute(scope, depth));
}

Message Writer::node(Names& scope, int depth) {
  static constexpr std::string_view operators[] = {
      "Relu",     "Add",    "Conv",        "MatMul",       "Reshape",        "Shape",
      "Constant", "Gather", "Cast",        "Slice",        "Split",          "BatchNormalization",
      "Dropout",  "Resize", "Pad",         "Gemm",         "Identity",       "Loop",
      "Scan",     "If",     "SequenceMap", "RandomNormal", "QuantizeLinear", "NonZero",
      "Optional", "Einsum"};
  Message node;
  for (std::size_t i = 0, count = choices_.below(4); i < count; ++i) node.text(1, known(scope));
  Names outputs;
  for (std::size_t i = 0, count = 1 + choices_.times(2000, 8) / 2; i < count; ++i)
    outputs.push_back(fresh());
  for (const std::string& output : outputs) node.text(2, output);
  if (choices_.one_in(3))
    node.text(3, choices_.one_in(2) ? "/" + repeated("a/", choices_.times(30000, 2)) + "n"
                                    : choices_.name());
  if (functions_ > 0 && choices_.one_in(2)) {
    const std::size_t callee = choices_.one_in(4) ? choices_.below(functions_) : functions_ - 1;
    node.text(4, "f" + std::to_string(callee)).text(7, "f");
  } else if (choices_.one_in(24)) {
    node.text(4, choices_.odd_name()).text(7, choices_.name());
  } else {
    const std::string_view type = operators[choices_.below(std::size(operators))];
    node.text(4, type);
    const bool branches = type == "If";
    if (depth > 0 && branches)
      for (const auto& arm : {"then_branch", "else_branch"})
        node.message(5, Message().text(1, arm).message(6, graph(depth - 1, false, scope)));
    if (depth > 0 && (type == "Loop" || type == "Scan"))
      node.message(5, Message().text(1, "body").message(6, graph(depth - 1, false, scope)));
  }
  add_attributes(node, scope, depth);
  if (choices_.one_in(3)) add_metadata(node);
  if (choices_.one_in(16)) node.text(6, choices_.odd_name());
  scope.insert(scope.end(), outputs.begin(), outputs.end());
  return node;
}

void Writer::add_nodes(Message& to, unsigned field, Names& scope, int depth) {
  for (std::size_t i = 0, count = 1 + choices_.below(5); i < count; ++i) {
    const Message one = node(scope, depth);
    to.message(field, one);
    // The same again, under new names: a Relu of the last value.
    for (std::size_t k = 0, more = choices_.times(20000, 12) / 4; k < more; ++k) {
      Message next;
      next.text(1, scope.back());
      scope.push_back("v" + std::to_string(values_++));
      next.text(2, scope.back()).text(4, "Relu");
      to.message(field, next);
    }
  }
}

Message Writer::graph(int depth, bool outermost, const Names& outer) {
  if (outermost) depth = static_cast<int>(choices_.one_in(4) ? 2 + choices_.below(70) : 2);
  if (++graphs_ > 200) depth = 0;
  Names scope = outer;
  Message graph;
  graph.text(2, choices_.name());
  add_values(graph, 11, scope, outermost ? 1 + choices_.below(3) : choices_.below(3));
  for (std::size_t i = 0, count = choices_.below(3); i < count; ++i) {
    scope.push_back(choices_.one_in(2) ? choices_.path() + ".weight" + std::to_string(values_++)
                                       : fresh());
    graph.message(5, tensor(scope.back()));
  }
  add_nodes(graph, 1, scope, depth);
  for (std::size_t i = 0, count = choices_.times(2000, 20) / 2; i < count; ++i)
    graph.message(13, value(known(scope)));
  for (std::size_t i = 0, count = 1 + choices_.below(2); i < count; ++i)
    graph.message(12, value(known(scope)));
  return graph;
}

Message Writer::function(std::size_t number) {
  functions_ = number; // each calls those before it; seldom itself
  if (choices_.one_in(64)) functions_ = number + 1;
  Message function;
  function.text(1, "f" + std::to_string(number)).text(10, "f");
  Names scope;
  for (std::size_t i = 0, count = 1 + choices_.below(2); i < count; ++i) {
    scope.push_back("i" + std::to_string(i));
    function.text(4, scope.back());
  }
  if (choices_.one_in(4)) function.text(6, "axis");
  add_nodes(function, 7, scope, choices_.one_in(4) ? 2 : 0);
  function.text(5, scope.back());
  function.message(9, opset("")).message(9, opset("f"));
  if (choices_.one_in(8)) function.message(11, attribute(scope, 0));
  if (choices_.one_in(8)) function.message(12, value(scope.back()));
  return function;
}

} // namespace

std::string write_onnx(Choices& choices) { return Writer(choices).model(); }

} // namespace fuzz
